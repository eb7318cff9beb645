import { runSubcommand, type Subcommand } from '../database/subcommands.js';
import type { ExitCode, Terminal } from '../terminal.js';
import { processesHelp } from './help.js';
import { list } from './list.js';
import { show } from './show.js';

const subcommands: Readonly<Record<string, Subcommand>> = {
  list: {
    options: { open: { type: 'boolean' }, after: { type: 'string' }, limit: { type: 'string' } },
    run: list,
  },
  show: { positionals: 2, options: { tenant: { type: 'string' } }, isAboutOne: () => true, run: show },
};

export function processes(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return runSubcommand('processes', processesHelp, subcommands, args, terminal);
}
