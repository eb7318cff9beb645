import { OperatorActionKind, subjectData } from '@svc/core/hosting';
import { UsageError } from '../database/failures.js';
import { givenKeyVault, keyVaultOption } from '../database/key-vault.js';
import { runSubcommand, type DatabaseCall, type Subcommand } from '../database/subcommands.js';
import { operatorOption, recorderOf } from '../operations/recorder.js';
import { ExitCode, type Terminal } from '../terminal.js';
import { subjectHelp } from './help.js';

const subcommands: Readonly<Record<string, Subcommand>> = {
  export: { positionals: 1, options: { ...operatorOption, ...keyVaultOption }, run: exportSubject },
};

export function subject(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return runSubcommand('subject', subjectHelp, subcommands, args, terminal);
}

/** Prints all data of a subject, and records the operator. */
async function exportSubject(call: DatabaseCall): Promise<ExitCode> {
  const { database, positionals, terminal } = call;
  const [target] = positionals;
  if (target === undefined || target === '') throw new UsageError('No subject given. Pass the id of the person.');
  const vault = givenKeyVault(call.options);
  if (vault === null) throw new UsageError('No key vault given. Pass --key-vault <file>, or set KEY_VAULT.');
  const recorded = await recorderOf(call);
  const action = { kind: OperatorActionKind.ExportSubject, target, arguments: {} };
  const data = await recorded(action, () => subjectData(database.storage, vault, target));
  terminal.out(JSON.stringify({ subject: target, database: database.where, ...data }, null, 2));
  return ExitCode.ok;
}
