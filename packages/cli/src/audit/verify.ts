import { readFileSync } from 'node:fs';
import { folderArchive } from '@svc/core/storage';
import {
  checkProof,
  sealedLogOf,
  verifyExport,
  verifySeals,
  type CheckedProof,
  type Verification,
  type VerifyOptions,
} from '@svc/core/hosting';
import { counted } from '../counted.js';
import { UsageError } from '../failures.js';
import type { Call } from '../command-line/description.js';
import type { Options } from '../command-line/options.js';
import { reportable } from '../database/reportable.js';
import { useArchive } from '../archive/use-archive.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { requireCurrentSchema } from '../operations/current-schema.js';
import { figure } from '../operations/progress-meter.js';
import { ExitCode, type Terminal } from '../terminal.js';
import { dateOf, trustOf } from './trust-options.js';

/** Verifies a database. */
export async function verify(call: DatabaseCall): Promise<ExitCode> {
  const { database, options, json, terminal } = call;
  await requireCurrentSchema(database);
  useArchive(call);
  const { storage } = database;
  const last = (await storage.seals.readLast())?.size ?? 0;
  const limits = await limitsOf(options, last, terminal);
  return print(await verifySeals(sealedLogOf(storage), limits), database.where, json, terminal);
}

/** Verifies an export or a proof, without a database. */
export async function verifyOffline({ options, json, terminal }: Call): Promise<ExitCode> {
  const [proof, folder] = [options.text('proof'), options.text('export')];
  if (proof !== undefined && folder !== undefined) throw new UsageError('Pass --proof or --export, not both.');
  try {
    if (proof !== undefined)
      return printProof(checkProof(textOf(proof), await trustOf(options)), proof, json, terminal);
    const store = folderArchive(folder!);
    return print(await verifyExport(store, await limitsOf(options, null, terminal)), store.where, json, terminal);
  } catch (error) {
    throw reportable(error, (text) => text);
  }
}

async function limitsOf(options: Options, total: number | null, { live }: Terminal): Promise<VerifyOptions> {
  const [from, to] = [dateOf(options, 'from'), dateOf(options, 'to')];
  const started = performance.now();
  const onProgress = (events: number): void => {
    const rate = events / ((performance.now() - started) / 1_000);
    const done = total === null ? counted(events, 'event') : `${figure(events)} of ${counted(total, 'event')}`;
    live?.(`${done}, ${figure(rate)} events/s`);
  };
  return {
    ...(await trustOf(options)),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(live !== undefined && { onProgress }),
  };
}

function print(result: Verification, where: string, json: boolean, terminal: Terminal): ExitCode {
  const { finding, checkpoints, events, unsealed, last, isPinned, anchored } = result;
  const exitCode = finding !== null ? ExitCode.tampered : last === null ? ExitCode.noData : ExitCode.ok;
  if (json) {
    terminal.out(JSON.stringify({ log: where, isProven: exitCode === ExitCode.ok, ...result }, null, 2));
    return exitCode;
  }
  if (finding !== null) {
    const { kind, eventId, index, checkpoint, description } = finding;
    terminal.out(`${where} is NOT as it was sealed: ${kind}`);
    if (eventId !== null) terminal.out(`  event        ${eventId}`);
    if (index !== null) terminal.out(`  in the log   after ${counted(index, 'event')}`);
    if (checkpoint !== null) terminal.out(`  checkpoint   ${checkpoint}`);
    terminal.out(`  ${description}`);
    return exitCode;
  }
  if (last === null) {
    terminal.out(`${where}: no checkpoints to verify. The service seals its log if it calls addSeals.`);
    return exitCode;
  }
  terminal.out(`${where} is as it was sealed: ${counted(events, 'event')}, ${counted(checkpoints, 'checkpoint')}.`);
  terminal.out(`  last checkpoint  ${last.number} of ${last.time}, ${counted(last.size, 'event')}, key ${last.key}`);
  if (anchored !== null) terminal.out(`  anchored         up to checkpoint ${anchored}`);
  if (unsealed !== null && unsealed > 0) terminal.out(`  not sealed yet   ${counted(unsealed, 'event')}`);
  if (!isPinned)
    terminal.out('  The keys are those of the log itself. Pass --key or --anchor to exclude that it was sealed again.');
  return exitCode;
}

function printProof(
  { fault, event, checkpoint, isPinned }: CheckedProof,
  file: string,
  json: boolean,
  terminal: Terminal,
): ExitCode {
  const exitCode = fault === null ? ExitCode.ok : ExitCode.tampered;
  if (json) {
    terminal.out(
      JSON.stringify({ proof: file, isProven: fault === null, fault, isPinned, event, checkpoint }, null, 2),
    );
    return exitCode;
  }
  if (fault !== null) {
    terminal.out(`${file} proves nothing: ${fault}.`);
    return exitCode;
  }
  const { id, type, streamId, position, timestamp, body } = event;
  terminal.out(`${file} is valid: the log had this event at checkpoint ${checkpoint.number} of ${checkpoint.time}.`);
  terminal.out(`  event    ${id}, ${type}`);
  terminal.out(`  stream   ${streamId}, position ${position}`);
  terminal.out(`  time     ${new Date(timestamp).toISOString()}`);
  terminal.out(`  body     ${body}`);
  terminal.out(`  key      ${checkpoint.key}`);
  if (!isPinned) terminal.out('  The key is that of the proof itself. Pass --key or --anchor to know whose it is.');
  return exitCode;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read the proof ${file}: ${(error as Error).message}.`);
  }
}
