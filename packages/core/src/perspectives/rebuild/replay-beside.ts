import type { SystemEventEmitter } from '../../system-events/index.js';
import type { PerspectiveParts } from '../apply/model-events.js';
import type { NamedPerspective } from '../perspective.js';
import { takeAll } from './take-all.js';

/** Lets the tables that are kept under the name `beside` take what has happened so far, from where they are. */
export async function replayBeside(
  named: NamedPerspective,
  beside: string,
  signal: AbortSignal,
  parts: PerspectiveParts & { readonly emitter: SystemEventEmitter },
): Promise<void> {
  signal.throwIfAborted();
  await takeAll(named, { into: beside, isShared: false, signal }, parts);
}
