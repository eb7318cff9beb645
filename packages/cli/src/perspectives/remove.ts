import { OperatorActionKind, perspectiveHolders, perspectiveLanes } from '@svc/core/hosting';
import { Rejection, UsageError } from '../failures.js';
import type { ChosenDatabase } from '../database/choose-database.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { recorderOf } from '../operations/recorder.js';
import { printable } from '../printable.js';
import { ExitCode } from '../terminal.js';
import { knownPerspective } from './known-perspective.js';

const maxReasonLength = 500;

/** Removes the models of a perspective that no running host has, and records the operator. */
export async function remove(call: DatabaseCall): Promise<ExitCode> {
  const { database, options, positionals, json, terminal } = call;
  const reason = options.text('reason')?.trim() ?? '';
  if (reason === '' || reason.length > maxReasonLength)
    throw new UsageError(`Pass --reason "…" with 1 to ${maxReasonLength} characters. The reason is recorded.`);
  const target = await knownPerspective(positionals[0], database);
  const recorded = await recorderOf(call);
  await requireUnused(target, database);
  await recorded({ kind: OperatorActionKind.RemovePerspective, target, arguments: { reason } }, async () => {
    await database.storage.perspectives.removePerspective(target);
  });
  if (json) terminal.out(JSON.stringify({ database: database.where, removed: target }, null, 2));
  else
    terminal.out(
      `Removed the models of ${target} from ${database.where}. A service that has ${target} computes them again from all events.`,
    );
  return ExitCode.ok;
}

/** The host of a perspective has a lease of it. A host that is killed loses it within seconds. */
async function requireUnused(name: string, { storage, where }: ChosenDatabase): Promise<void> {
  const holders = perspectiveHolders(await storage.leases.readHeld(perspectiveLanes));
  const own = holders.filter(({ perspective }) => perspective === name);
  if (own.length === 0) return;
  const hosts = [...new Set(own.map(({ process }) => process ?? 'unknown'))].join(', ');
  throw new Rejection(
    `Cannot remove ${name} from ${where}: a running host has it (${printable(hosts)}). Deploy a version without ${name}, stop the hosts of other versions, then run the command again.`,
  );
}
