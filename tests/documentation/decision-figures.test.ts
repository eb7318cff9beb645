/** Limits, counts and times that decisions quote are those of the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decisionFigures } from './decision-figures.js';

const root = new URL('../../', import.meta.url);
const decisions = new URL('docs/decisions/', root);

/** In one line, with one space where lines and table cells are padded. */
function textOf(decision: string): string {
  const file = readdirSync(decisions).find((name) => name.startsWith(`${decision}-`));
  if (file === undefined) throw new Error(`docs/decisions has no decision ${decision}.`);
  return readFileSync(new URL(file, decisions), 'utf8').replaceAll(/\s+/g, ' ');
}

/** By file: most of these constants are internal, and no package exports them. */
async function constantOf(source: string): Promise<unknown> {
  const [file, name] = source.split('#') as [string, string];
  let value: unknown = await import(new URL(file, root).pathname);
  for (const member of name.split('.')) value = (value as Record<string, unknown> | undefined)?.[member];
  return value;
}

describe('the figures of the decisions', () => {
  it.each(decisionFigures)('$decision: "$words" is $source', async ({ decision, words, source, as }) => {
    const value = await constantOf(source);
    expect(value, `${source} is no exported number`).toBeTypeOf('number');
    const quoted = words.replaceAll('{}', as(value as number));
    expect(textOf(decision).includes(quoted), `decision ${decision} does not say "${quoted}"`).toBe(true);
  });
});
