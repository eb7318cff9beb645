import { runSubcommand, type Subcommand } from '../database/subcommands.js';
import { operatorOption } from '../operations/recorder.js';
import type { ExitCode, Terminal } from '../terminal.js';
import { cancel, makeDue } from './changes.js';
import { scheduleHelp } from './help.js';
import { list } from './list.js';

const isAboutOne = (): boolean => true;
const page = { tenant: { type: 'string' }, after: { type: 'string' }, limit: { type: 'string' } } as const;

const subcommands: Readonly<Record<string, Subcommand>> = {
  list: { options: page, run: list },
  cancel: { positionals: 1, options: operatorOption, isAboutOne, run: cancel },
  run: { positionals: 1, options: operatorOption, isAboutOne, run: makeDue },
};

export function schedule(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return runSubcommand('schedule', scheduleHelp, subcommands, args, terminal);
}
