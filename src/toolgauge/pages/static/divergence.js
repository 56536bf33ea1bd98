// Where two trajectories part: their calls are aligned, call with call, and the first that are not the same is it.

/** @typedef {{tool: string, args?: any, result?: any, error?: string | null}} Call */
/** @typedef {{kind: "same" | "arguments" | "only_a" | "only_b" | "other", a: number | null, b: number | null}} Step */

/** So many calls behind the first difference are aligned; more are shown as they come. */
const WINDOW = 200;

/**
 * A value with the keys of objects in order, so that equal values are written alike.
 * @param {any} value
 * @returns {string}
 */
function canonical(value) {
  if (Array.isArray(value)) return "[" + value.map(canonical).join() + "]";
  if (value && typeof value === "object") {
    return "{" + Object.keys(value).sort().map((key) => JSON.stringify(key) + ":" + canonical(value[key])).join() + "}";
  }
  return JSON.stringify(value) ?? "null";
}

/** @param {Call} call */
const signature = (call) => call.tool + "\u0000" + canonical(call.args ?? null);

/**
 * The calls of two trajectories, aligned: the same, the same tool with other arguments, or one without the other.
 * @param {Call[]} a
 * @param {Call[]} b
 * @returns {Step[]}
 */
export function alignCalls(a, b) {
  const [left, right] = [a.map(signature), b.map(signature)];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  /** @type {Step[]} */
  const steps = [];
  for (let at = 0; at < start; at++) steps.push({ kind: "same", a: at, b: at });
  const [m, n] = [Math.min(left.length - start, WINDOW), Math.min(right.length - start, WINDOW)];
  /** @param {number} i @param {number} j */
  const gain = (i, j) => (left[start + i] === right[start + j] ? 3 : a[start + i]?.tool === b[start + j]?.tool ? 2 : 0);
  const best = Array.from({ length: m + 1 }, () => new Int32Array(n + 1));
  for (let i = m - 1; i >= 0; i--) {
    for (let j = n - 1; j >= 0; j--) {
      const row = /** @type {Int32Array} */ (best[i]);
      const below = /** @type {Int32Array} */ (best[i + 1]);
      const won = gain(i, j);
      row[j] = Math.max(below[j] ?? 0, row[j + 1] ?? 0, won ? won + (below[j + 1] ?? 0) : 0);
    }
  }
  let [i, j] = [0, 0];
  while (i < m || j < n) {
    const here = best[i]?.[j] ?? 0;
    const won = i < m && j < n ? gain(i, j) : 0;
    if (won && here === won + (best[i + 1]?.[j + 1] ?? 0)) {
      steps.push({ kind: won === 3 ? "same" : "arguments", a: start + i++, b: start + j++ });
    } else if (i < m && here === (best[i + 1]?.[j] ?? 0)) steps.push({ kind: "only_a", a: start + i++, b: null });
    else steps.push({ kind: "only_b", a: null, b: start + j++ });
  }
  for (let at = start + m; at < a.length; at++) steps.push({ kind: "only_a", a: at, b: null });
  for (let at = start + n; at < b.length; at++) steps.push({ kind: "only_b", a: null, b: at });
  return steps;
}

/**
 * The first step at which two part; null: they make the same calls. A call that one makes where the other makes another
 * is one step.
 * @param {Step[]} steps
 * @returns {{at: number, step: Step} | null}
 */
export function firstDivergence(steps) {
  const at = steps.findIndex((step) => step.kind !== "same");
  const step = steps[at];
  if (step === undefined) return null;
  const next = steps[at + 1];
  if (step.kind === "only_a" && next?.kind === "only_b") return { at, step: { kind: "other", a: step.a, b: next.b } };
  if (step.kind === "only_b" && next?.kind === "only_a") return { at, step: { kind: "other", a: next.a, b: step.b } };
  return { at, step };
}
