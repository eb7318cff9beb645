import { parseArgs } from 'node:util';
import { failed, UsageError } from '../database/failures.js';
import { Options, runSubcommand, type Subcommand } from '../database/subcommands.js';
import { operatorOption } from '../operations/recorder.js';
import type { ExitCode, Terminal } from '../terminal.js';
import { exportEvents } from './export.js';
import { auditHelp } from './help.js';
import { createKey } from './key.js';
import { prove } from './prove.js';
import { query } from './query.js';
import { tail } from './tail.js';
import { verify, verifyOffline, verifyOptions } from './verify.js';

const archive = { archive: { type: 'string' } } as const;

const subcommands: Readonly<Record<string, Subcommand>> = {
  query,
  tail,
  verify: { options: verifyOptions, run: verify },
  prove: {
    positionals: 1,
    options: { ...operatorOption, ...archive, out: { type: 'string' } },
    isAboutOne: () => true,
    run: prove,
  },
  export: {
    options: { ...operatorOption, ...archive, to: { type: 'string' } },
    isAboutOne: () => true,
    run: exportEvents,
  },
};

export async function audit(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = args;
  const isOffline = name === 'key' || (name === 'verify' && rest.some((arg) => /^--(?:proof|export)(?:=|$)/.test(arg)));
  if (!isOffline || rest.includes('--help')) {
    return await runSubcommand('audit', auditHelp, subcommands, args, terminal);
  }
  try {
    const json = { json: { type: 'boolean' } } as const;
    if (name === 'key') {
      const { values } = parseArgs({ args: rest, options: { ...json, out: { type: 'string' } } });
      return createKey(new Options(values), terminal);
    }
    const { values } = parseArgs({ args: rest, options: { ...json, ...verifyOptions } });
    if (values.proof !== undefined && values.export !== undefined) {
      throw new UsageError('Pass --proof or --export, not both.');
    }
    return await verifyOffline(new Options(values), terminal);
  } catch (error) {
    return failed('audit', error, (text) => text, terminal);
  }
}
