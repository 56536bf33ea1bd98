// The source of a page in one file: blocks of compressed data in the page itself. The first has the run and the rows of
// the list, the others the cases, some dozens each; a block is unpacked when it is first needed.

import { fitsCase, fold, readFilter, sorted } from "./filters.js";

/** @typedef {import("./filters.js").CaseRow} CaseRow */
/** @typedef {import("./source.js").Source} Source */

const KEPT_BLOCKS = 6;

/**
 * @param {Element} block
 * @returns {Promise<any>}
 */
async function unpack(block) {
  const packed = atob((block.textContent ?? "").trim());
  const bytes = new Uint8Array(packed.length);
  for (let index = 0; index < packed.length; index++) bytes[index] = packed.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/**
 * All texts and numbers in a value, one after the other.
 * @param {any} value
 * @param {string[]} found
 */
function gather(value, found) {
  if (typeof value === "string") found.push(value);
  else if (typeof value === "number") found.push(String(value));
  else if (Array.isArray(value)) for (const item of value) gather(item, found);
  else if (value && typeof value === "object") for (const item of Object.values(value)) gather(item, found);
}

/**
 * What is looked through to find a text: question, arguments, results, errors and answers.
 * @param {CaseRow | undefined} row
 * @param {any} page
 * @returns {string}
 */
function searched(row, page) {
  /** @type {string[]} */
  const found = [row?.id ?? "", row?.input ?? ""];
  gather(row?.labels, found);
  for (const one of page.trajectories) {
    for (const call of one.raw.calls ?? []) {
      found.push(call.tool, call.error ?? "");
      gather(call.args, found);
      gather(call.result, found);
    }
    found.push(one.raw.output ?? "", one.raw.error ?? "");
  }
  return fold(found.join("\n"));
}

/** @returns {Promise<Source>} */
export async function embeddedSource() {
  const blocks = [...document.querySelectorAll('script[type="application/octet-stream"]')];
  const [first, ...rest] = blocks;
  if (!first) throw new Error("the page has no data");
  const head = await unpack(first);
  /** @type {CaseRow[]} */
  const rows = head.rows;
  const byId = new Map(rows.map((row) => [row.id, row.n]));
  /** @type {number[]} */
  const starts = head.starts;
  /** @type {Map<number, Promise<any[]>>} */
  const kept = new Map();

  /** @param {number} number */
  const blockOf = (number) => {
    let low = 0;
    for (let high = starts.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= number) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };

  /** @param {number} index */
  const pagesOf = (index) => {
    const found = kept.get(index) ?? unpack(/** @type {Element} */ (rest[index]));
    kept.delete(index);
    kept.set(index, found);
    for (const old of kept.keys()) {
      if (kept.size <= KEPT_BLOCKS) break;
      kept.delete(old);
    }
    return found;
  };

  /** @type {Promise<string[]> | null} */
  let index = null;
  const texts = () => {
    index ??= (async () => {
      /** @type {string[]} */
      const made = [];
      for (let number = 0; number < rest.length; number++) {
        for (const page of await pagesOf(number)) made.push(searched(rows[made.length], page));
        await new Promise((resume) => setTimeout(resume));
      }
      return made;
    })();
    return index;
  };

  /** @type {import("./source.js").Review[]} */
  const reviews = [];

  /**
   * @param {URLSearchParams} params
   * @returns {Promise<CaseRow[]>}
   */
  async function chosen(params) {
    const filter = readFilter(params);
    const set = filter.set ? new Set(/** @type {number[]} */ (head.run.sets[filter.set] ?? [])) : null;
    let found = rows.filter((row) => fitsCase(row, filter, set));
    if (filter.review) {
      const reviewed = new Set(reviews.filter((one) => one.verdict === filter.review).map((one) => one.case));
      found = found.filter((row) => reviewed.has(row.id));
    }
    const wanted = fold(filter.q).split(/\s+/).filter(Boolean);
    if (wanted.length) {
      const made = await texts();
      found = found.filter((row) => wanted.every((word) => (made[row.n] ?? "").includes(word)));
    }
    return sorted(found, params.get("sort") ?? "");
  }

  const source = {
    live: false,
    words: head.words,
    run: async () => head.run,
    /** @param {{params: URLSearchParams, offset: number, limit: number}} asked */
    cases: async ({ params, offset, limit }) => {
      const found = await chosen(params);
      return { rows: found.slice(offset, offset + limit), filtered: found.length, total: rows.length };
    },
    /** @param {string} id */
    case: async (id) => {
      const number = byId.get(id);
      if (number === undefined) return null;
      const at = blockOf(number);
      const page = (await pagesOf(at))[number - (starts[at] ?? 0)];
      return page ? { ...page, row: rows[number] } : null;
    },
    /** @param {string} id @param {URLSearchParams} params */
    neighbours: async (id, params) => {
      const found = await chosen(params);
      const at = found.findIndex((row) => row.id === id);
      return { before: found[at - 1]?.id ?? null, after: at < 0 ? null : (found[at + 1]?.id ?? null), at, of: found.length };
    },
    reviews: async () => reviews,
    /** @param {import("./source.js").Review} review */
    review: async (review) => {
      const at = reviews.findIndex(
        (one) => one.case === review.case && one.agent === review.agent && one.trial === review.trial,
      );
      if (at >= 0) reviews.splice(at, 1);
      if (review.verdict) reviews.push(review);
    },
    prepare: () => void texts(),
  };
  return source;
}
