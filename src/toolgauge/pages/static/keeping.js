// Drawing a page again under somebody's eyes: what they look at stays where it is, what they opened stays open.

const ROW = "tr th[scope=row] a";

/**
 * The first element with a name that can be seen, by which the place is found again.
 * @param {Element} root
 * @returns {{find: () => Element | null, top: number} | null}
 */
function anchor(root) {
  const marks = [...root.querySelectorAll(`section[id], h2[id], ${ROW}`)];
  const seen = marks.find((one) => one.getBoundingClientRect().top >= 0);
  if (!seen) return null;
  const href = seen.getAttribute("href");
  const find = () => (href === null ? document.getElementById(seen.id) : root.querySelector(`${ROW}[href="${CSS.escape(href)}"]`));
  return { find, top: seen.getBoundingClientRect().top };
}

/**
 * What a part that can be opened is known by: the section that it is in, and its title.
 * @param {HTMLDetailsElement} part
 * @returns {string}
 */
function partName(part) {
  return `${part.closest("[id]")?.id} ${part.closest("figure")?.className} ${part.querySelector("summary")?.textContent}`;
}

/**
 * @param {HTMLElement} root
 * @param {() => void} swap
 */
export function keepingPlace(root, swap) {
  const place = anchor(root);
  const open = new Set([...root.querySelectorAll("details")].filter((one) => one.open).map(partName));
  const focused = document.activeElement;
  const key = focused && root.contains(focused) ? focused.id || focused.getAttribute("href") : null;
  swap();
  for (const one of root.querySelectorAll("details")) if (open.has(partName(one))) one.open = true;
  const found = place?.find();
  if (place && found) scrollBy({ top: found.getBoundingClientRect().top - place.top, behavior: "instant" });
  if (!key) return;
  const again = root.querySelector(`[id="${CSS.escape(key)}"], a[href="${CSS.escape(key)}"]`);
  /** @type {HTMLElement | null} */ (again)?.focus({ preventScroll: true });
}

/**
 * Whether somebody is typing or choosing, and should not be disturbed.
 * @returns {boolean}
 */
export function isBusy() {
  return /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
}
