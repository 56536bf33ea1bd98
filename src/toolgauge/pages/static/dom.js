// Elements are made of texts and never of markup: whatever comes from a model, a tool or a suite is shown as it is.

/** @typedef {Node | string | number | null | undefined | false} Child */

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * The text with everything that cannot be seen, or turns lines around, written as an escape.
 * @param {string} text
 * @returns {string}
 */
export function visible(text) {
  return text.replace(HIDDEN, (sign) => "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0"));
}

/**
 * An element with attributes, listeners (`onclick: function`) and children.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") Reflect.set(made, name, value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  add(made, ...children);
  return made;
}

/**
 * Put children behind those that are there; texts are made visible.
 * @param {Node} parent
 * @param {...(Child | Child[])} children
 */
export function add(parent, ...children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(visible(String(child))));
  }
}

/**
 * Put children in the place of those that are there.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function fillWith(parent, ...children) {
  parent.replaceChildren();
  add(parent, ...children);
}

/**
 * A chart, which Python drew and escaped, as elements; its links get their addresses here.
 * @param {string} svg
 * @param {(filters: string) => string} address
 * @returns {Element}
 */
export function chartElement(svg, address) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const drawn = document.importNode(parsed, true);
  for (const link of drawn.querySelectorAll("a[data-go]")) {
    link.setAttribute("href", address(link.getAttribute("data-go") ?? ""));
  }
  return drawn;
}

/**
 * Offer a text as a file.
 * @param {string} name
 * @param {string} type
 * @param {string} text
 */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/**
 * The text, cut where it is longer.
 * @param {string} text
 * @param {number} length
 * @returns {string}
 */
export function cut(text, length) {
  return text.length > length ? text.slice(0, length) + "…" : text;
}

/**
 * The section of a title, with what belongs to it.
 * @param {string} id
 * @param {string} title
 * @param {...(Node | null | undefined | false | (Node | null)[])} children
 * @returns {HTMLElement}
 */
export function section(id, title, ...children) {
  return h("section", { id, "aria-labelledby": id + "-title" }, h("h2", { id: id + "-title" }, title), ...children);
}
