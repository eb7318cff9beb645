import { printable } from './printable.js';

/** An object as lines, one for each property. */
export function properties(values: object): string {
  const entries = Object.entries(values) as [string, unknown][];
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `  ${name.padEnd(width)}  ${printable(text)}`;
    })
    .join('\n');
}
