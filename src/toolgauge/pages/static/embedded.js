// The source of a page in one file: blocks of compressed data in the page itself. One has the run and the rows of the
// list, two the words that cases are found by, the others the cases; a block is unpacked when it is first needed.

import { fitsCase, fold, readFilter, sorted } from "./filters.js";
import { wordFinder } from "./find.js";

/** @typedef {import("./filters.js").CaseRow} CaseRow */
/** @typedef {import("./source.js").Source} Source */

const KEPT_BLOCKS = 6;

/**
 * @param {Element | null | undefined} block
 * @returns {Promise<ArrayBuffer>}
 */
function unpack(block) {
  if (!block) throw new Error("the page has no data");
  const packed = atob((block.textContent ?? "").trim());
  const bytes = new Uint8Array(packed.length);
  for (let index = 0; index < packed.length; index++) bytes[index] = packed.charCodeAt(index);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/**
 * @param {Element | null | undefined} block
 * @returns {Promise<string>}
 */
async function unpackText(block) {
  return new TextDecoder().decode(await unpack(block));
}

/**
 * The cases of a block, each trajectory with what its row in the list has of it.
 * @param {Element | null | undefined} block
 * @param {CaseRow[]} rows The rows from the first case of the block on.
 * @returns {Promise<any[]>}
 */
async function unpackCases(block, rows) {
  const { pages, raw } = JSON.parse(await unpackText(block));
  return pages.map((/** @type {any} */ page, /** @type {number} */ at) => {
    const row = /** @type {CaseRow} */ (rows[at]);
    const trajectories = page.trajectories.map((/** @type {any} */ one, /** @type {number} */ place) => {
      const { agent, trial, state, passed, score, outcome } = /** @type {import("./filters.js").Result} */ (row.results[place]);
      const record = { case: row.id, agent, trial, ...raw[at][place] };
      return { id: row.id, agent, trial, state, passed, score, outcome, ...one, raw: record };
    });
    return { ...page, trajectories, row };
  });
}

/**
 * Numbers of which it is said how far each is from the one before.
 * @param {number[]} gaps
 * @returns {number[]}
 */
function fromGaps(gaps) {
  let last = 0;
  return gaps.map((gap) => (last += gap));
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
  /** @param {string} part */
  const blocks = (part) => [...document.querySelectorAll(`script[data-part="${part}"]`)];
  const head = JSON.parse(await unpackText(blocks("run")[0]));
  for (const [name, gaps] of Object.entries(head.sets)) head.run.sets[name] = fromGaps(gaps);
  /** @type {CaseRow[]} */
  const rows = head.rows;
  const byId = new Map(rows.map((row) => [row.id, row.n]));
  const rest = blocks("cases");
  const starts = rest.map((block) => Number(block.getAttribute("data-start")));
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

  /** @param {number} number */
  const pageOf = async (number) => {
    const index = blockOf(number);
    const start = starts[index] ?? 0;
    const found = kept.get(index) ?? unpackCases(rest[index], rows.slice(start, starts[index + 1]));
    kept.delete(index);
    kept.set(index, found);
    for (const old of kept.keys()) {
      if (kept.size <= KEPT_BLOCKS) break;
      kept.delete(old);
    }
    return (await found)[number - start];
  };

  /** @type {Map<number, string>} */
  const texts = new Map();
  /** @param {number} number */
  const textOf = async (number) => {
    const found = texts.get(number) ?? searched(rows[number], await pageOf(number));
    texts.set(number, found);
    return found;
  };

  /** @type {Promise<(wanted: string[]) => Promise<Uint8Array>> | null} */
  let finder = null;
  const finding = () => {
    finder ??= (async () => {
      const [text, postings] = await Promise.all([unpackText(blocks("vocabulary")[0]), unpack(blocks("postings")[0])]);
      return wordFinder({ text, postings: new Uint8Array(postings), long: head.long, cases: rows.length }, textOf);
    })();
    return finder;
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
      const fits = await (await finding())(wanted);
      found = found.filter((row) => fits[row.n]);
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
      return number === undefined ? null : await pageOf(number);
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
    prepare: () => void finding(),
  };
  return source;
}
