// What pages ask for, whether the data are in the page or behind an address.

/** @typedef {{case: string, agent: string, trial: number, verdict: string, note: string, at: string}} Review */
/**
 * @typedef {object} Source
 * @property {boolean} live Whether the data may change, and reviews are kept.
 * @property {Record<string, Record<string, string>>} words The texts of pages by language.
 * @property {() => Promise<any>} run Everything of the run but its cases.
 * @property {(asked: {params: URLSearchParams, offset: number, limit: number}) =>
 *   Promise<{rows: import("./filters.js").CaseRow[], filtered: number, total: number}>} cases Some of the cases that fit.
 * @property {(id: string) => Promise<any>} case One case with all that was done on it; null: there is none.
 * @property {(id: string, params: URLSearchParams) =>
 *   Promise<{before: string | null, after: string | null, at: number, of: number}>} neighbours Which cases stand beside
 *   it among those that fit.
 * @property {() => Promise<Review[]>} reviews What people said of cases.
 * @property {(review: Review) => Promise<void>} review Keeps what somebody says; an empty verdict takes it back.
 * @property {() => void} prepare Makes ready what takes a while, such as finding texts.
 * @property {(kind: string, params: URLSearchParams) => string} [files] The address of what is filtered, as a file.
 * @property {(made: {case: string, agent: string, trial: number}) => Promise<any>} [makeCase] Writes a case.
 * @property {(happened: (name: string, progress: any) => void) => void} [listen] Tells of what is new.
 */

export {};
