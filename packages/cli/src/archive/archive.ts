import { OperatorActionKind } from '@svc/core/hosting';
import { archiveEvents, folderArchive, type ArchiveFile, type ArchiveStore } from '@svc/core/storage';
import { counted } from '../counted.js';
import { UsageError } from '../failures.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { recorderOf } from '../operations/recorder.js';
import { ExitCode } from '../terminal.js';

/** Archives events, and records the operator. */
export async function archive(call: DatabaseCall): Promise<ExitCode> {
  const { database, json, terminal } = call;
  const before = dateOf(call.options.text('before'));
  const folder = call.options.text('to');
  if (folder === undefined) throw new UsageError('No folder given. Pass --to <folder>.');
  const store = folderArchive(folder);
  const recorded = await recorderOf(call);
  const action = {
    kind: OperatorActionKind.ArchiveEvents,
    target: null,
    arguments: { before: before.toISOString(), to: store.where },
  };
  const onFile = (file: ArchiveFile): void => {
    if (!json) terminal.out(`${file.name}  ${counted(file.events, 'event')}, ${counted(file.bytes, 'byte')}`);
  };
  const files = await recorded(action, () => archiveEvents(database.storage, store, { before, onFile }));
  const unused = await unusedFiles(call, store);
  if (json) {
    terminal.out(JSON.stringify({ database: database.where, archive: store.where, files, unused }, null, 2));
    return ExitCode.ok;
  }
  const events = files.reduce((sum, file) => sum + file.events, 0);
  const what = events === 0 ? 'no events' : counted(events, 'event');
  terminal.out(`Archived ${what} of ${database.where} before ${before.toISOString()} in ${store.where}.`);
  if (unused.length > 0) {
    const it = unused.length === 1 ? 'it' : 'them';
    const why = `an interrupted run left ${it}, or another database uses this folder`;
    terminal.out(`The database does not use ${counted(unused.length, 'file')}: ${why}. --json lists ${it}.`);
  }
  return ExitCode.ok;
}

/** Files that the database does not refer to. */
async function unusedFiles({ database }: DatabaseCall, store: ArchiveStore): Promise<readonly string[]> {
  const used = new Set((await database.storage.archive.readFiles()).map(({ name }) => name));
  return (await store.list()).filter((name) => !used.has(name));
}

function dateOf(text: string | undefined): Date {
  if (text === undefined) throw new UsageError('No date given. Pass --before <date>.');
  const date = new Date(text);
  // Date.parse also accepts texts whose meaning depends on the time zone of the machine.
  if (
    !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text) ||
    Number.isNaN(date.getTime())
  )
    throw new UsageError(`--before must be a date such as 2026-01-01 or 2026-01-01T12:00:00Z, not "${text}".`);
  if (date.getTime() > Date.now()) throw new UsageError('--before must not be in the future.');
  return date;
}
