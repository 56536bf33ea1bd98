// The texts of the page in the language that was chosen. Templates are those of the catalogue: `{name}` is a place, a
// part in square brackets is left out where one of its places has no value.

/** @typedef {Record<string, string> | string} Said */

/** @type {{lang: string, texts: Record<string, Record<string, string>>}} */
export const language = { lang: "en", texts: {} };

/**
 * @param {string} key
 * @returns {boolean}
 */
export function knows(key) {
  return key in (language.texts[language.lang] ?? {});
}

/**
 * The text of a key, filled in.
 * @param {string} key
 * @param {Record<string, string | number | null | undefined>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const template = language.texts[language.lang]?.[key] ?? key;
  /** @param {string} part */
  const filled = (part) =>
    part.replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name];
      return value === null || value === undefined ? "" : typeof value === "number" ? number(value) : value;
    });
  return template
    .split(/\[([^[\]]*)\]/)
    .map((part, index) => {
      const names = [...part.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? "");
      const missing = names.some((name) => values[name] === null || values[name] === undefined);
      return index % 2 && missing ? "" : filled(part);
    })
    .join("");
}

/**
 * A text that depends on the language.
 * @param {Said | null | undefined} text
 * @returns {string}
 */
export function said(text) {
  if (text === null || text === undefined) return "";
  return typeof text === "string" ? text : (text[language.lang] ?? text.en ?? "");
}

/**
 * A number as people of the language write it.
 * @param {number} value
 * @param {number} [digits]
 * @returns {string}
 */
export function number(value, digits) {
  const written = digits === undefined ? String(value) : value.toFixed(digits);
  const texts = language.texts[language.lang] ?? {};
  const [whole = "", part] = written.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, texts["number.group"] ?? "");
  return part === undefined ? grouped : grouped + (texts["number.decimal"] ?? ".") + part;
}

/**
 * A quantity with about three digits that count; nothing where it is not known.
 * @param {number | null | undefined} value
 * @returns {string}
 */
export function amount(value) {
  if (value === null || value === undefined) return t("none");
  if (value === 0 || Math.abs(value) >= 100) return number(value, 0);
  if (Number.isInteger(value)) return number(value);
  return number(Number(value.toPrecision(3)));
}

/**
 * A share with two digits.
 * @param {number | null | undefined} value
 * @returns {string}
 */
export function share(value) {
  return value === null || value === undefined ? t("none") : number(value, 2);
}

/**
 * A time without its seconds, in the zone that every page shows.
 * @param {string} written
 * @returns {string}
 */
export function utc(written) {
  const time = new Date(/([zZ]|[+-]\d\d:?\d\d)$/.test(written) ? written : written + "Z");
  return (Number.isNaN(time.getTime()) ? written : time.toISOString()).slice(0, 16).replace("T", " ");
}

/**
 * What a metric is called; that of a scorer by the name of the scorer.
 * @param {string} name
 * @returns {string}
 */
export function metricTitle(name) {
  const key = "compare.metric." + name;
  const title = knows(key) ? t(key) : name;
  return capitalised(title);
}

/**
 * What a label is called.
 * @param {string} name
 * @returns {string}
 */
export function labelTitle(name) {
  const key = "label." + name;
  return capitalised(knows(key) ? t(key) : name);
}

/**
 * @param {string} text
 * @returns {string}
 */
function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
