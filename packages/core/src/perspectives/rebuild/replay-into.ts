import type { ModelTables } from '../../storage/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import type { PerspectiveParts } from '../apply/model-events.js';
import type { NamedPerspective } from '../perspective.js';
import { catchUp } from './catch-up.js';

/** Applies all events that are stored so far to tables that will replace the serving ones, and resumes where they are. */
export async function replayInto(
  named: NamedPerspective,
  tables: ModelTables,
  signal: AbortSignal,
  parts: PerspectiveParts & { readonly emitter: SystemEventEmitter },
): Promise<void> {
  signal.throwIfAborted();
  await catchUp(named, { into: tables, isShared: false, signal }, parts);
}
