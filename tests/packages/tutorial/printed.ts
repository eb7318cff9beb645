import { stripVTControlCharacters } from 'node:util';

/** What is different on each machine and in each run, with what stands for it. */
const variable: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'],
  [/"traceId":"[0-9a-f]{32}"/g, '"traceId":"<id>"'],
  [/"durationMs":\d+/g, '"durationMs":<n>'],
  [/\b\d+ ms\b/g, '<n> ms'],
  [/\b\d+\.\d+ s\b/g, '<n> s'],
];

/** Whether a command printed what a page shows, and nothing else. `…` is any text of a line, or alone any lines. */
export function isAsShown(shown: string, printed: string): boolean {
  return new RegExp(`^${patternOf(shown)}$`).test(comparable(printed));
}

/** Whether what a page shows is among the lines that were printed. */
export function isAmong(shown: string, printed: string): boolean {
  return new RegExp(`^${patternOf(shown)}$`, 'm').test(comparable(printed));
}

/** A text without what is different in each run, and without the notices of npm. */
export function comparable(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => !/^npm (?:warn|notice)/.test(line));
  return variable
    .reduce((result, [value, name]) => result.replace(value, name), lines.join('\n'))
    .replace(/^\n+/, '')
    .trimEnd();
}

function patternOf(shown: string): string {
  const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const lines = comparable(shown).split('\n');
  const patterns = lines.map((line, i) => {
    const isLast = i === lines.length - 1;
    if (line === '…') return isLast ? '(?:\n.*)*' : '(?:.*\n)*?';
    const end = isLast || (lines[i + 1] === '…' && i + 1 === lines.length - 1) ? '' : '\n';
    return line.split('…').map(literal).join('.*?') + end;
  });
  return patterns.join('');
}
