import { folderArchive } from '@svc/core/storage';
import { exportLog, OperatorActionKind, type ExportedFile } from '@svc/core/hosting';
import { counted } from '../counted.js';
import { UsageError } from '../failures.js';
import { useArchive } from '../archive/use-archive.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { recorderOf } from '../operations/recorder.js';
import { ExitCode } from '../terminal.js';

/** Exports the sealed events, and records the operator: the files contain private data. */
export async function exportEvents(call: DatabaseCall): Promise<ExitCode> {
  const { database, options, json, terminal } = call;
  const folder = options.text('to');
  if (folder === undefined) throw new UsageError('No folder given. Pass --to <folder>.');
  const store = folderArchive(folder);
  const recorded = await recorderOf(call);
  useArchive(call);
  const onFile = (file: ExportedFile): void => {
    if (!json) terminal.out(`${file.name}  ${counted(file.events, 'event')}, ${counted(file.bytes, 'byte')}`);
  };
  const action = { kind: OperatorActionKind.ExportEvents, target: null, arguments: { to: store.where } };
  const files = await recorded(action, () => exportLog(database.storage, store, onFile));
  if (json) {
    terminal.out(JSON.stringify({ database: database.where, export: store.where, files }, null, 2));
    return ExitCode.ok;
  }
  const events = files.reduce((sum, file) => sum + file.events, 0);
  const what = events === 0 ? 'No new sealed events' : counted(events, 'sealed event');
  terminal.out(`${what} of ${database.where} exported to ${store.where}.`);
  return ExitCode.ok;
}
