import { mostCounted, readReactions } from '@svc/core/hosting';
import { counted } from '../counted.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { requireCurrentSchema } from '../operations/current-schema.js';
import { figure } from '../operations/progress-meter.js';
import { table } from '../table.js';
import { ExitCode } from '../terminal.js';

/** Shows each reaction's state from the database, without a running service. */
export async function list({ database, json, terminal }: DatabaseCall): Promise<ExitCode> {
  await requireCurrentSchema(database);
  const { storage, where } = database;
  const reactions = (await readReactions(storage)).map(
    ({ name, sequence, behind, waiting, parked, isPaused, hosts }) => {
      return { name, sequence, behind, waiting, parked, isPaused, hosts };
    },
  );
  if (json) {
    terminal.out(JSON.stringify({ database: where, reactions }, null, 2));
    return ExitCode.ok;
  }
  const rows = reactions.map(({ name, sequence, behind, waiting, parked, isPaused, hosts }) => [
    name,
    String(sequence),
    behindText(behind),
    countText(waiting),
    countText(parked),
    isPaused ? 'paused' : hosts.join(', ') || '-',
  ]);
  terminal.out(`${where}\n\n${table([['reaction', 'place', 'behind', 'waiting', 'parked', 'hosts'], ...rows])}`);
  return ExitCode.ok;
}

export function behindText(behind: number): string {
  return behind >= mostCounted ? `${figure(mostCounted)} or more` : figure(behind);
}

function countText(streams: number): string {
  return streams === 0 ? '-' : counted(streams, 'stream');
}
