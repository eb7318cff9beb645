import type { ModelTables } from '../../storage/index.js';
import { reportingFirst } from '../apply/perspective-failed-error.js';
import type { NamedPerspective } from '../perspective.js';
import { catchUp, type CatchUpParts } from './catch-up.js';
import { requireNoNewFailures, versionRemedy } from './incomplete-rebuild.js';

/**
 * Applies all events that are stored so far to tables that will replace the serving ones, and resumes where they are. Throws if they must not
 * replace them, because streams failed at which the serving models have not stopped.
 */
export async function replayInto(
  named: NamedPerspective,
  tables: ModelTables,
  signal: AbortSignal,
  parts: CatchUpParts,
): Promise<void> {
  signal.throwIfAborted();
  const progress = await catchUp(named, { into: tables, isShared: false, signal }, reportingFirst(parts));
  const live = await parts.storage.readProgress(named.name);
  await requireNoNewFailures(named.name, { into: tables, progress, live }, versionRemedy, parts);
}
