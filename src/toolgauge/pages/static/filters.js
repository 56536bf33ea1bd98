// Which cases are wanted, and in which order. A case fits where one of its results fits all filters of results (agent,
// tool, issue, outcome, answer, figures), and the case itself fits those of cases (label, set, text, review).

/** @typedef {{agent: string, trial: number, state: string, outcome: string, passed: boolean, with_issues: boolean,
 *   score: number | null, answer: string | null, issues: string[], tools: string[], latency_ms: number | null,
 *   calls: number, tokens: number | null, cost: number | null}} Result */
/** @typedef {{n: number, id: string, input: string, labels: Record<string, string>, results: Result[]}} CaseRow */
/** @typedef {{q: string, agent: string[], label: string[], tool: string[], issue: string[], outcome: string[],
 *   answer: string[], set: string, review: string, ranges: Record<string, [number, number]>}} Filter */

/** The figures that can be limited, and sorted by, with where a result has them. */
export const FIGURES = /** @type {Record<string, (result: Result) => number | null>} */ ({
  score: (result) => result.score,
  latency: (result) => result.latency_ms,
  calls: (result) => result.calls,
  tokens: (result) => result.tokens,
  cost: (result) => result.cost,
});

const LISTS = /** @type {const} */ (["agent", "label", "tool", "issue", "outcome", "answer"]);

/** The names of all parameters that are filters. */
export const FILTERS = ["q", "set", "review", ...LISTS, ...Object.keys(FIGURES)];

/**
 * A label of a case, whatever it is called: `__proto__` is a name like any other.
 * @param {CaseRow} row
 * @param {string} name
 * @returns {string}
 */
export function labelOf(row, name) {
  return Object.hasOwn(row.labels, name) ? (row.labels[name] ?? "") : "";
}

/**
 * The filter that an address holds.
 * @param {URLSearchParams} params
 * @returns {Filter}
 */
export function readFilter(params) {
  /** @type {Filter["ranges"]} */
  const ranges = {};
  for (const name of Object.keys(FIGURES)) {
    const written = params.get(name);
    if (written === null || !written.includes("..")) continue;
    const [low = "", high = ""] = written.split("..");
    ranges[name] = [low === "" ? -Infinity : Number(low), high === "" ? Infinity : Number(high)];
  }
  const lists = Object.fromEntries(LISTS.map((name) => [name, params.getAll(name)]));
  return /** @type {Filter} */ ({
    ...lists,
    q: params.get("q") ?? "",
    set: params.get("set") ?? "",
    review: params.get("review") ?? "",
    ranges,
  });
}

/**
 * Whether a result fits.
 * @param {Result} result
 * @param {Filter} filter
 * @returns {boolean}
 */
export function fitsResult(result, filter) {
  if (filter.agent.length && !filter.agent.includes(result.agent)) return false;
  if (filter.outcome.length && !filter.outcome.includes(result.outcome)) return false;
  if (filter.answer.length && !filter.answer.includes(result.answer ?? "")) return false;
  if (filter.tool.length && !filter.tool.some((tool) => result.tools.includes(tool))) return false;
  if (filter.issue.length && !filter.issue.some((kind) => result.issues.includes(kind))) return false;
  return Object.entries(filter.ranges).every(([name, [low, high]]) => {
    const value = FIGURES[name]?.(result) ?? null;
    return value !== null && value >= low && value <= high;
  });
}

/**
 * Whether a case fits, but for its text.
 * @param {CaseRow} row
 * @param {Filter} filter
 * @param {Set<number> | null} set
 * @returns {boolean}
 */
export function fitsCase(row, filter, set) {
  if (set !== null && !set.has(row.n)) return false;
  /** @type {Map<string, string[]>} */
  const wanted = new Map();
  for (const label of filter.label) {
    const at = label.indexOf(":");
    const key = label.slice(0, at);
    wanted.set(key, [...(wanted.get(key) ?? []), label.slice(at + 1)]);
  }
  for (const [key, values] of wanted) if (!values.includes(labelOf(row, key))) return false;
  const some = filter.agent.length || filter.outcome.length || filter.answer.length || filter.tool.length;
  if (!some && !filter.issue.length && !Object.keys(filter.ranges).length) return true;
  return row.results.some((result) => fitsResult(result, filter));
}

/**
 * Texts without tones, marks and case, so that `ha noi` finds `Hà Nội`.
 * @param {string} text
 * @returns {string}
 */
export function fold(text) {
  return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/[đĐ]/g, "d").toLowerCase();
}

/**
 * How many results of a case passed, of those that were measured.
 * @param {CaseRow} row
 * @returns {number}
 */
function passedShare(row) {
  return row.results.length ? row.results.filter((result) => result.passed).length / row.results.length : -1;
}

/**
 * By what a case is put in order; cases without a figure come last.
 * @param {CaseRow} row
 * @param {string} by
 * @returns {number | string}
 */
function sortKey(row, by) {
  if (by === "id") return row.id;
  if (by === "input") return row.input;
  if (by === "passed") return passedShare(row);
  if (by === "issues") return row.results.reduce((sum, result) => sum + result.issues.length, 0);
  if (by.startsWith("agent:")) {
    const own = row.results.filter((result) => result.agent === by.slice(6));
    return own.length ? own.filter((result) => result.passed).length / own.length : -1;
  }
  if (by.startsWith("label:")) return labelOf(row, by.slice(6));
  const values = row.results.map((result) => FIGURES[by]?.(result) ?? null).filter((value) => value !== null);
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : NaN;
}

/**
 * The cases in order: `name` from small to large, `-name` from large to small; without a name as in the suite.
 * @param {CaseRow[]} rows
 * @param {string} order
 * @returns {CaseRow[]}
 */
export function sorted(rows, order) {
  if (!order) return rows;
  const down = order.startsWith("-");
  const by = down ? order.slice(1) : order;
  const keyed = rows.map((row) => ({ row, key: sortKey(row, by) }));
  const collator = new Intl.Collator("vi", { numeric: true });
  keyed.sort((one, other) => {
    const [a, b] = [one.key, other.key];
    if (typeof a === "string" && typeof b === "string") return (down ? -1 : 1) * collator.compare(a, b);
    const unknown = Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return unknown || (down ? -1 : 1) * (Number(a) - Number(b)) || one.row.n - other.row.n;
  });
  return keyed.map((one) => one.row);
}
