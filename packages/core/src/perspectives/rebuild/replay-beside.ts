import type { ModelTables } from '../../storage/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import type { PerspectiveParts } from '../apply/model-events.js';
import type { NamedPerspective } from '../perspective.js';
import { takeAll } from './take-all.js';

/** Applies all events that are stored so far to tables that will replace the serving ones, and resumes where they are. */
export async function replayBeside(
  named: NamedPerspective,
  beside: ModelTables,
  signal: AbortSignal,
  parts: PerspectiveParts & { readonly emitter: SystemEventEmitter },
): Promise<void> {
  signal.throwIfAborted();
  await takeAll(named, { into: beside, isShared: false, signal }, parts);
}
