// Drawing a page again under somebody's eyes: what they look at stays where it is, what they opened stays open.

/**
 * The first element with a name that can be seen, by which the place is found again.
 * @param {Element} root
 * @returns {{find: () => Element | null, top: number} | null}
 */
function anchor(root) {
  const marks = [...root.querySelectorAll("section[id], tr th[scope=row] a, h2[id]")];
  const seen = marks.find((one) => one.getBoundingClientRect().top >= 0);
  if (!seen) return null;
  const top = seen.getBoundingClientRect().top;
  const href = seen.getAttribute("href");
  const find = () => (href === null ? document.getElementById(seen.id) : root.querySelector(`a[href="${CSS.escape(href)}"]`));
  return { find, top };
}

/**
 * @param {HTMLElement} root
 * @param {() => Promise<void>} draw
 */
export async function keepingPlace(root, draw) {
  const place = anchor(root);
  const open = [...root.querySelectorAll("details")].map((one) => one.open);
  const focused = document.activeElement;
  const key = focused && root.contains(focused) ? focused.id || focused.getAttribute("href") : null;
  // The list of cases is filled when its rows have come: until then the page keeps its height.
  root.style.minHeight = `${root.offsetHeight}px`;
  await draw();
  const settle = () => {
    [...root.querySelectorAll("details")].forEach((one, index) => {
      if (open[index]) one.open = true;
    });
    const found = place?.find();
    if (place && found) scrollBy({ top: found.getBoundingClientRect().top - place.top, behavior: "instant" });
    if (key) /** @type {HTMLElement | null} */ (root.querySelector(`[id="${CSS.escape(key)}"], a[href="${CSS.escape(key)}"]`))?.focus({ preventScroll: true });
  };
  settle();
  await new Promise((resume) => setTimeout(resume, 150));
  settle();
  root.style.minHeight = "";
}

/**
 * Whether somebody is typing or choosing, and should not be disturbed.
 * @returns {boolean}
 */
export function isBusy() {
  return /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
}
