// Where one is: the page, what it is about, and filters, order and place as parameters. A link opens the same view.

/** @typedef {{page: string, id: string, params: URLSearchParams}} Place */
/** @typedef {{read: () => Place, href: (place: Place) => string, listen: (changed: () => void) => void,
 *   replace: (place: Place) => void, go: (place: Place) => void}} Addresses */

/** @returns {Addresses} The addresses of a page in one file: behind the `#`. */
export function hashAddresses() {
  /** @param {Place} place */
  const href = (place) => {
    const query = place.params.toString();
    return "#" + place.page + (place.id ? "/" + encodeURIComponent(wellFormed(place.id)) : "") + (query ? "?" + query : "");
  };
  return {
    read() {
      const [path = "", query = ""] = split(location.hash.slice(1), "?");
      const [page = "", id = ""] = split(path, "/");
      return { page: page || "run", id: decode(id), params: new URLSearchParams(query) };
    },
    href,
    listen: (changed) => addEventListener("hashchange", changed),
    replace: (place) => history.replaceState(null, "", href(place)),
    go: (place) => {
      location.hash = href(place);
    },
  };
}

/**
 * Half characters have no place in an address.
 * @param {string} text
 * @returns {string}
 */
export function wellFormed(text) {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

/**
 * @param {string} text
 * @param {string} sign
 * @returns {string[]}
 */
function split(text, sign) {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * @param {string} text
 * @returns {string}
 */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What is not a filter: it stays when the filters change. */
export const SETTINGS = ["lang", "cols", "sort"];

/**
 * The same place with other parameters; one that is null is taken away.
 * @param {Place} place
 * @param {Record<string, string | null>} changes
 * @returns {Place}
 */
export function changed(place, changes) {
  const params = new URLSearchParams(place.params);
  for (const [name, value] of Object.entries(changes)) {
    params.delete(name);
    if (value !== null && value !== "") params.set(name, value);
  }
  return { ...place, params };
}

/**
 * The list of cases with these filters and no others; language, columns and order stay.
 * @param {Place} place
 * @param {string} filters
 * @returns {Place}
 */
export function casesPlace(place, filters) {
  const params = new URLSearchParams(filters);
  for (const name of SETTINGS) {
    const value = place.params.get(name);
    if (value !== null) params.set(name, value);
  }
  return { page: "cases", id: "", params };
}
