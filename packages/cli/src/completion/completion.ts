import { catalogOf } from '../command-line/catalog.js';
import type { Call } from '../command-line/description.js';
import { didYouMean } from '../command-line/suggestions.js';
import { commands } from '../commands.js';
import { UsageError } from '../failures.js';
import { ExitCode } from '../terminal.js';
import { bashScript } from './bash.js';
import { completionsOf, type Completions } from './completions.js';
import { fishScript } from './fish.js';
import { zshScript } from './zsh.js';

const shells: Readonly<Record<string, (completions: readonly Completions[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Prints a script that completes commands, options and values in a shell. */
export async function completion({ positionals, json, terminal }: Call): Promise<ExitCode> {
  const [shell] = positionals;
  if (shell === undefined) throw new UsageError('No shell given. Pass bash, zsh or fish.');
  if (!Object.hasOwn(shells, shell))
    throw new UsageError(`No script for "${shell}".${didYouMean(shell, Object.keys(shells))} Pass bash, zsh or fish.`);
  const script = shells[shell]!(completionsOf(await catalogOf(commands)));
  terminal.out(json ? JSON.stringify({ shell, script }, null, 2) : script.trimEnd());
  return ExitCode.ok;
}
