import { runSubcommand, type Subcommand } from '../database/subcommands.js';
import { requestOptions } from '../operations/request-operation.js';
import type { ExitCode, Terminal } from '../terminal.js';
import { cancel } from './cancel.js';
import { perspectivesHelp } from './help.js';
import { list } from './list.js';
import { rebuild } from './rebuild.js';
import { retry } from './retry.js';

const subcommands: Readonly<Record<string, Subcommand>> = {
  list: { run: list },
  rebuild: {
    positionals: 1,
    options: {
      ...requestOptions,
      mode: { type: 'string' },
      stream: { type: 'string', multiple: true },
      'events-per-second': { type: 'string' },
      detach: { type: 'boolean' },
    },
    run: rebuild,
  },
  retry: { positionals: 1, options: { ...requestOptions, stream: { type: 'string' } }, run: retry },
  cancel: { positionals: 1, options: requestOptions, isAboutOne: () => true, run: cancel },
};

export function perspectives(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return runSubcommand('perspectives', perspectivesHelp, subcommands, args, terminal);
}
