import { runSubcommand, type Subcommand } from '../database/subcommands.js';
import { requestOptions } from '../operations/request-operation.js';
import { operatorOption } from '../operations/recorder.js';
import type { ExitCode, Terminal } from '../terminal.js';
import { discard } from './discard.js';
import { deadLettersHelp } from './help.js';
import { list } from './list.js';
import { replay } from './replay.js';
import { show } from './show.js';

const direction = { type: 'string' } as const;
const cause = { type: 'string' } as const;
const all = { type: 'boolean' } as const;

const hasId = (positionals: readonly string[]): boolean => positionals.length > 0;

const subcommands: Readonly<Record<string, Subcommand>> = {
  list: { options: { direction, cause, after: { type: 'string' }, limit: { type: 'string' } }, run: list },
  show: { positionals: 1, options: operatorOption, isAboutOne: () => true, run: show },
  replay: { positionals: 1, options: { ...requestOptions, all, direction, cause }, isAboutOne: hasId, run: replay },
  discard: {
    positionals: 1,
    options: { ...requestOptions, all, cause, reason: { type: 'string' } },
    isAboutOne: hasId,
    run: discard,
  },
};

export function deadLetters(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return runSubcommand('dead-letters', deadLettersHelp, subcommands, args, terminal);
}
