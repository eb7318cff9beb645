import { writeFileSync } from 'node:fs';
import { OperatorActionKind, proveEvent } from '@svc/core/hosting';
import { Rejection, UsageError } from '../failures.js';
import { idOf } from '../database/ids.js';
import { useArchive } from '../archive/use-archive.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { recorderOf } from '../operations/recorder.js';
import { ExitCode } from '../terminal.js';

/** Writes the proof of an event, and records the operator: a proof contains the event. */
export async function prove(call: DatabaseCall): Promise<ExitCode> {
  const { database, options, positionals, json, terminal } = call;
  const [given] = positionals;
  if (given === undefined) throw new UsageError('No event given. Pass the id of an event.');
  const eventId = idOf('the event', given);
  const recorded = await recorderOf(call);
  useArchive(call);
  const action = { kind: OperatorActionKind.ProveEvent, target: eventId, arguments: {} };
  const proof = await recorded(action, () => proveEvent(database.storage, eventId));
  if (proof === null) {
    throw new Rejection(
      `${database.where} has no event ${eventId}, or it is not sealed yet. A service that calls addSeals seals it within a second.`,
    );
  }
  const file = options.text('out');
  if (file === undefined) {
    terminal.out(proof.trimEnd());
    return ExitCode.ok;
  }
  writeFileSync(file, proof, { mode: 0o600 });
  if (json) terminal.out(JSON.stringify({ file, event: eventId }, null, 2));
  else terminal.out(`${file} proves the event ${eventId}. Check it with: svc audit verify --proof ${file}`);
  return ExitCode.ok;
}
