import { OperatorActionKind, subjectData } from '@svc/core/hosting';
import { UsageError } from '../failures.js';
import { useArchive } from '../archive/use-archive.js';
import { givenKeyVault } from '../database/key-vault.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { recorderOf } from '../operations/recorder.js';
import { ExitCode } from '../terminal.js';

/** Prints all data of a subject, and records the operator. */
export async function exportSubject(call: DatabaseCall): Promise<ExitCode> {
  const { database, positionals, terminal } = call;
  const [target] = positionals;
  if (target === undefined || target === '') throw new UsageError('No subject given. Pass the id of the person.');
  const vault = givenKeyVault(call.options);
  if (vault === null) throw new UsageError('No key vault given. Pass --key-vault <file>, or set KEY_VAULT.');
  useArchive(call);
  const recorded = await recorderOf(call);
  const action = { kind: OperatorActionKind.ExportSubject, target, arguments: {} };
  const data = await recorded(action, () => subjectData(database.storage, vault, target));
  terminal.out(JSON.stringify({ subject: target, database: database.where, ...data }, null, 2));
  return ExitCode.ok;
}
