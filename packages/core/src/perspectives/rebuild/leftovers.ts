import { newId } from '../../messages/index.js';
import {
  besideName,
  PerspectiveDefinedOtherwiseError,
  StorageUnavailableError,
  type PerspectiveStorage,
} from '../../storage/index.js';
import { ServiceError } from '../../errors/index.js';
import { isInPlace } from '../own-version.js';

/**
 * The name of the tables that a rebuild fills: those that one left whose host is gone, when they could still take the place of the
 * perspective's own, or new ones. What else is there is removed; a rebuild on another host that fills it begins again.
 */
export async function besideToFill(perspective: string, resume: boolean, storage: PerspectiveStorage): Promise<string> {
  if (!(await isInPlace(perspective, storage))) throw new PerspectiveDefinedOtherwiseError(perspective);
  const besides = await storage.readBesides(perspective);
  const [furthest] = besides
    .filter(({ isAlike }) => resume && isAlike)
    .toSorted((a, b) => b.sequence - a.sequence)
    .map(({ name }) => name);
  for (const { name } of besides) if (name !== furthest) await storage.removePerspective(name);
  return furthest ?? besideName(perspective, newId());
}

/** Removes the tables that rebuilds left and that can take nobody's place any more. What another host fills at the moment is left alone. */
export async function removeLeftovers(
  perspective: string,
  storage: PerspectiveStorage,
  mayTouch: (perspective: string) => Promise<boolean>,
): Promise<void> {
  const left = (await storage.readBesides(perspective)).filter(({ isAlike }) => !isAlike);
  if (left.length === 0 || !(await mayTouch(perspective))) return;
  for (const { name } of left) await storage.removePerspective(name);
}

/** Whether a rebuild ended for a reason that is not its own: the next one goes on from there, or another host does already. */
export function isInterruption(error: unknown): boolean {
  if (error instanceof StorageUnavailableError) return true;
  if (!(error instanceof ServiceError)) return false;
  return error.code === 'SVC_SERVICE_STOPPING' || error.code === 'SVC_OPERATION_TAKEN_OVER';
}
