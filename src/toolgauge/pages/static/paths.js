// Addresses of the viewer: `/runs/ID`, `/runs/ID/cases` and `/runs/ID/case`, with everything else as parameters, so that
// no name of a case becomes a part of a path.

/** @typedef {import("./address.js").Place} Place */

const CASE = "case";

/**
 * @param {string} id
 * @returns {import("./address.js").Addresses}
 */
export function pathAddresses(id) {
  const base = `/runs/${encodeURIComponent(id)}`;
  /** @type {() => void} */
  let changed = () => undefined;
  /** @param {Place} place */
  const href = (place) => {
    const params = new URLSearchParams(place.params);
    params.delete(CASE);
    if (place.id) params.set(CASE, place.id);
    const query = params.toString();
    return base + (place.page === "run" ? "" : "/" + place.page) + (query ? "?" + query : "");
  };
  return {
    read() {
      const page = location.pathname.slice(base.length + 1) || "run";
      const params = new URLSearchParams(location.search);
      const name = params.get(CASE) ?? "";
      params.delete(CASE);
      return { page, id: name, params };
    },
    href,
    listen(draw) {
      changed = draw;
      addEventListener("popstate", draw);
      document.addEventListener("click", (event) => {
        const link = /** @type {Element} */ (event.target).closest?.("a[href]");
        if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
        const target = new URL(/** @type {any} */ (link).href?.baseVal ?? /** @type {any} */ (link).href, location.href);
        const inside = target.pathname === base || target.pathname.startsWith(base + "/");
        if (target.origin !== location.origin || !inside || link.hasAttribute("download")) return;
        event.preventDefault();
        history.pushState(null, "", target);
        changed();
      });
    },
    replace: (place) => history.replaceState(null, "", href(place)),
    go: (place) => {
      history.pushState(null, "", href(place));
      changed();
    },
  };
}
