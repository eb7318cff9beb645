import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Call } from '../command-line/description.js';
import { didYouMean } from '../command-line/suggestions.js';
import { UsageError } from '../failures.js';
import { packageFolder } from '../package-folder.js';
import { paint } from '../styles.js';
import { ExitCode } from '../terminal.js';

const mostCodes = 20;

interface Explanation {
  readonly title: string;
  readonly text: string;
}

/** Prints what codes mean. The texts are part of the package. */
export async function explain({ positionals, json, terminal }: Call): Promise<ExitCode> {
  if (positionals.length === 0) throw new UsageError('No code given. Pass a code, such as SVC1105 or SVC_NOT_FOUND.');
  if (positionals.length > mostCodes) throw new UsageError(`Pass at most ${mostCodes} codes.`);
  const known = await explanations();
  const found = positionals.map((given) => {
    const code = given.toUpperCase();
    if (!Object.hasOwn(known, code))
      throw new UsageError(`Unknown code "${given}".${didYouMean(given, Object.keys(known))}`);
    return { code, ...known[code]! };
  });
  if (json) terminal.out(JSON.stringify(found, null, 2));
  else {
    const texts = found.map(
      ({ code, title, text }) => `${paint(terminal.colors?.out, 'bold', `${code}: ${title}`)}\n\n${text}`,
    );
    terminal.out(texts.join('\n\n'));
  }
  return ExitCode.ok;
}

async function explanations(): Promise<Readonly<Record<string, Explanation>>> {
  return JSON.parse(await readFile(join(packageFolder, 'explanations.json'), 'utf8')) as Readonly<
    Record<string, Explanation>
  >;
}
