// The five signs, each with a word for those who cannot see it, and the colours and shapes of agents.

import { h } from "./dom.js";
import { t } from "./words.js";

/** @type {Record<string, [string, string]>} */
const SIGNS = {
  passed: ["✓", "good"],
  passed_with_issues: ["!", "warn"],
  failed: ["✗", "bad"],
  error: ["✗", "bad"],
  timeout: ["✗", "bad"],
  limit: ["✗", "bad"],
  cancelled: ["–", "dim"],
  not_run: ["–", "dim"],
  right: ["✓", "good"],
  wrong: ["✗", "bad"],
  ambiguous: ["?", "warn"],
};

/**
 * The sign of an outcome, or of an answer.
 * @param {string} outcome
 * @param {string} [word]
 * @returns {HTMLElement}
 */
export function sign(outcome, word = t("state." + outcome)) {
  const [shown, tone] = SIGNS[outcome] ?? ["?", "warn"];
  return h("span", { class: "sign " + tone, role: "img", "aria-label": word, title: word }, shown);
}

const SHAPES = ["●", "■", "▲", "◆", "▼", "✚"];

/** @type {Map<string, number>} */
const colours = new Map();

/**
 * Remember the colours of agents, which are the same everywhere.
 * @param {{name: string, colour: number}[]} agents
 */
export function setAgents(agents) {
  colours.clear();
  for (const agent of agents) colours.set(agent.name, agent.colour);
}

/**
 * The name of an agent behind its shape.
 * @param {string} name
 * @returns {HTMLElement}
 */
export function agentName(name) {
  const colour = colours.get(name) ?? 6;
  const shape = h("span", { class: "shape c" + colour, "aria-hidden": "true" }, SHAPES[colour - 1]);
  return h("span", { class: "agent" }, shape, h("bdi", {}, name));
}
