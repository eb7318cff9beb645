import { folderArchive } from '@svc/core/storage';
import { exportLog, OperatorActionKind, type ExportedFile } from '@svc/core/hosting';
import { UsageError } from '../failures.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { figure } from '../operations/progress-meter.js';
import { recorderOf } from '../operations/recorder.js';
import { ExitCode } from '../terminal.js';

/** Exports the sealed events, and records the operator: the files contain private data. */
export async function exportEvents(call: DatabaseCall): Promise<ExitCode> {
  const { database, options, json, terminal } = call;
  const folder = options.text('to');
  if (folder === undefined) throw new UsageError('No folder given. Pass --to <folder>.');
  const store = folderArchive(folder);
  const recorded = await recorderOf(call);
  const archive = options.text('archive');
  if (archive !== undefined) database.storage.archive.use(folderArchive(archive));
  const onFile = (file: ExportedFile): void => {
    if (!json) terminal.out(`${file.name}  ${figure(file.events)} events, ${figure(file.bytes)} bytes`);
  };
  const action = { kind: OperatorActionKind.ExportEvents, target: null, arguments: { to: store.where } };
  const files = await recorded(action, () => exportLog(database.storage, store, onFile));
  if (json) {
    terminal.out(JSON.stringify({ database: database.where, export: store.where, files }, null, 2));
    return ExitCode.ok;
  }
  const events = files.reduce((sum, file) => sum + file.events, 0);
  const what = events === 0 ? 'No new sealed events' : `${figure(events)} sealed events`;
  terminal.out(`${what} of ${database.where} exported to ${store.where}.`);
  return ExitCode.ok;
}
