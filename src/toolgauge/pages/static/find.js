// Finding texts in a page of one file. The words of all cases come with the page, each with the cases that have it, so
// that nothing has to be unpacked: what is typed is looked for within the words. Only where they do not tell, the texts
// themselves are looked into: for what has signs between words in it, and in cases with what is too long to be a word.

/** What stands between words, as `pages/finding.py` has it. */
const BREAKS = /[\s,"[\]{}();<>=|]+/;

/**
 * @typedef {object} Words
 * @property {string} text The words in their order, one a line.
 * @property {Uint8Array} postings For each word how many cases have it, and the gaps between their numbers.
 * @property {number[]} long The cases with something that is too long to be a word.
 * @property {number} cases How many cases there are.
 */

/**
 * The cases in which all of some words stand.
 * @param {Words} words
 * @param {(number: number) => Promise<string>} textOf The folded text of a case.
 * @returns {(wanted: string[]) => Promise<Uint8Array>} By the number of a case 1 where it fits.
 */
export function wordFinder(words, textOf) {
  const lines = lineStarts(words.text);
  const places = postingStarts(words.postings, lines.length - 1);
  const long = new Set(words.long);
  return async (wanted) => {
    const fits = new Uint8Array(words.cases).fill(1);
    for (const word of wanted) {
      const parts = word.split(BREAKS).filter(Boolean);
      const told = parts.length === 1 && parts[0] === word;
      const within = parts.map((part) => casesWith(words, lines, places, part));
      for (let number = 0; number < fits.length; number++) {
        if (!fits[number]) continue;
        const has = within.every((cases) => cases[number]);
        if (has && told) continue;
        fits[number] = has || long.has(number) ? Number((await textOf(number)).includes(word)) : 0;
      }
    }
    return fits;
  };
}

/**
 * Where each line begins; behind the last is where one more would.
 * @param {string} text
 * @returns {Uint32Array}
 */
function lineStarts(text) {
  const found = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) found.push(at + 1);
  if (text) found.push(text.length + 1);
  return Uint32Array.from(found);
}

/**
 * Where what is said of each word begins.
 * @param {Uint8Array} bytes
 * @param {number} count
 * @returns {Uint32Array}
 */
function postingStarts(bytes, count) {
  const found = new Uint32Array(count);
  let at = 0;
  for (let word = 0; word < count; word++) {
    found[word] = at;
    let left = 1;
    for (let first = true; left > 0; left--) {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++] ?? 0;
        value |= (byte & 127) << shift;
        if (byte < 128) break;
      }
      if (first) left += value;
      first = false;
    }
  }
  return found;
}

/**
 * By the number of a case 1 where it has a word that this is a part of.
 * @param {Words} words
 * @param {Uint32Array} lines
 * @param {Uint32Array} places
 * @param {string} part
 * @returns {Uint8Array}
 */
function casesWith(words, lines, places, part) {
  const found = new Uint8Array(words.cases);
  for (let at = words.text.indexOf(part); at >= 0; ) {
    let low = 0;
    for (let high = lines.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((lines[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    mark(words.postings, places[low - 1] ?? 0, found);
    at = words.text.indexOf(part, lines[low] ?? Infinity);
  }
  return found;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {Uint8Array} found
 */
function mark(bytes, at, found) {
  const next = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  let number = -1;
  for (let left = next(); left > 0; left--) {
    number += next() + 1;
    found[number] = 1;
  }
}
