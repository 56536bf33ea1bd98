// The source of pages that a viewer serves: everything is asked for by its address, and a run that is being written is
// followed.

/** @typedef {import("./source.js").Source} Source */
/** @typedef {import("./source.js").Review} Review */

/**
 * What an address answers.
 * @param {string} path
 * @param {object} [sent]
 * @returns {Promise<any>}
 */
export async function ask(path, sent) {
  const token = document.querySelector('meta[name="toolgauge-token"]')?.getAttribute("content") ?? "";
  const headers = { "content-type": "application/json", "x-toolgauge-token": token };
  const reply = await fetch(path, sent === undefined ? {} : { method: "POST", headers, body: JSON.stringify(sent) });
  const answer = await reply.json();
  if (!reply.ok) throw Object.assign(new Error(answer.error), { status: reply.status });
  return answer;
}

/**
 * @param {string} id
 * @param {{words: any, cases_file: string | null}} known
 * @returns {Source}
 */
export function remoteSource(id, known) {
  const base = `/api/runs/${encodeURIComponent(id)}`;
  /** @param {URLSearchParams} params @param {Record<string, string>} more */
  const query = (params, more = {}) => {
    const made = new URLSearchParams(params);
    for (const [name, value] of Object.entries(more)) made.set(name, value);
    return made.toString();
  };
  return {
    live: true,
    words: known.words,
    run: () => ask(`${base}/run`),
    cases: ({ params, offset, limit }) => ask(`${base}/cases?${query(params, { offset: String(offset), limit: String(limit) })}`),
    case: async (name) => {
      try {
        return await ask(`${base}/case?${query(new URLSearchParams(), { case: name })}`);
      } catch {
        return null;
      }
    },
    neighbours: (name, params) => ask(`${base}/neighbours?${query(params, { case: name })}`),
    reviews: () => ask(`${base}/reviews`),
    review: async (review) => {
      const { case: name, agent, trial, note } = review;
      await ask(`${base}/reviews`, { case: name, agent, trial, note, verdict: review.verdict || null });
    },
    prepare: () => undefined,
    files: (kind, params) => `${base}/export.${kind}?${query(params)}`,
    makeCase: known.cases_file === null ? undefined : (made) => ask(`${base}/make-case`, made),
    listen: (happened) => {
      const events = new EventSource(`${base}/events`);
      events.addEventListener("error", () => happened("lost", {}));
      for (const name of ["figures", "progress", "removed", "done"]) {
        events.addEventListener(name, (event) => {
          if (name === "removed" || name === "done") events.close();
          happened(name, JSON.parse(/** @type {MessageEvent} */ (event).data));
        });
      }
    },
  };
}
