import { rejectedWords } from './rejected-words.js';

export interface Rejected {
  readonly word: string;
  /** Counted from 1. */
  readonly line: number;
  readonly instead: string;
}

const matchers = rejectedWords.flatMap(({ words, instead, allowedIn = [] }) =>
  words.map((word) => ({ word, instead, found: wholeWords(word), allowed: allowedIn.map(wholeWords) })),
);

/** The rejected words of a text in their order. A phrase may continue on the next line. */
export function findRejected(text: string): Rejected[] {
  return matchers
    .flatMap(({ word, instead, found, allowed }) => {
      const spans = allowed.flatMap((pattern) => spansOf(pattern, text));
      return spansOf(found, text)
        .filter(({ from, to }) => !spans.some((span) => span.from <= from && to <= span.to))
        .map(({ from }) => ({ word, from, line: text.slice(0, from).split('\n').length, instead }));
    })
    .toSorted((a, b) => a.from - b.from)
    .map(({ word, line, instead }) => ({ word, line, instead }));
}

const spansOf = (pattern: RegExp, text: string): { from: number; to: number }[] =>
  [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({ from: index, to: index + length }));

function wholeWords(phrase: string): RegExp {
  return new RegExp(`(?<![\\w-])${phrase.replaceAll(' ', '\\s+')}(?![\\w-])`, 'gi');
}
