import { runSubcommand, type Subcommand } from '../database/subcommands.js';
import { operatorOption } from '../operations/recorder.js';
import type { ExitCode, Terminal } from '../terminal.js';
import { pause, resume, retry, skip } from './change.js';
import { reactionsHelp } from './help.js';
import { list } from './list.js';
import { show } from './show.js';

const hasStream = (positionals: readonly string[]): boolean => positionals.length > 1;

const subcommands: Readonly<Record<string, Subcommand>> = {
  list: { run: list },
  show: { positionals: 1, options: { after: { type: 'string' }, limit: { type: 'string' } }, run: show },
  retry: { positionals: 2, options: operatorOption, isAboutOne: hasStream, run: retry },
  skip: { positionals: 2, options: operatorOption, isAboutOne: () => true, run: skip },
  pause: { positionals: 1, options: operatorOption, run: pause },
  resume: { positionals: 1, options: operatorOption, run: resume },
};

export function reactions(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return runSubcommand('reactions', reactionsHelp, subcommands, args, terminal);
}
