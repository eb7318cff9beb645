import { writeFileSync } from 'node:fs';
import { folderArchive } from '@svc/core';
import { proveEvent } from '@svc/core/hosting';
import { Rejection, UsageError } from '../database/failures.js';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/subcommands.js';
import { requireCurrentSchema } from '../operations/current-schema.js';
import { ExitCode } from '../terminal.js';

/** Writes the proof of an event. */
export async function prove({ database, options, positionals, terminal }: DatabaseCall): Promise<ExitCode> {
  const [given] = positionals;
  if (given === undefined) throw new UsageError('No event given. Pass the id of an event.');
  const eventId = idOf('the event', given);
  await requireCurrentSchema(database);
  const archive = options.text('archive');
  if (archive !== undefined) database.storage.archive.use(folderArchive(archive));
  const proof = await proveEvent(database.storage, eventId);
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
  terminal.out(`${file} proves the event ${eventId}. Check it with: svc audit verify --proof ${file}`);
  return ExitCode.ok;
}
