import {
  newTables,
  PerspectiveDefinedOtherwiseError,
  StorageUnavailableError,
  type ModelTables,
  type PerspectiveStorage,
} from '../../storage/index.js';
import { ServiceError } from '../../errors/index.js';
import { isInPlace } from '../own-version.js';

/**
 * The tables that a rebuild fills: those that one left whose host is gone, when they can still replace the ones that serve, or new ones. The rest
 * is removed; a rebuild on another host that fills it begins again.
 */
export async function tablesToFill(
  perspective: string,
  resume: boolean,
  storage: PerspectiveStorage,
): Promise<ModelTables> {
  if (!(await isInPlace(perspective, storage))) throw new PerspectiveDefinedOtherwiseError(perspective);
  const rebuilding = await storage.readRebuilding(perspective);
  const [furthest] = rebuilding.filter(({ isAlike }) => resume && isAlike).toSorted((a, b) => b.sequence - a.sequence);
  for (const one of rebuilding) if (one !== furthest) await storage.removeTables(one.tables);
  return furthest?.tables ?? newTables(perspective, 'rebuilding');
}

/** Removes the tables that rebuilds left and that can replace none any more. What another host fills at the moment is left alone. */
export async function removeLeftovers(
  perspective: string,
  storage: PerspectiveStorage,
  mayTouch: (perspective: string) => Promise<boolean>,
): Promise<void> {
  const left = (await storage.readRebuilding(perspective)).filter(({ isAlike }) => !isAlike);
  if (left.length === 0 || !(await mayTouch(perspective))) return;
  for (const { tables } of left) await storage.removeTables(tables);
}

/** Whether a rebuild ended for a reason that is not its own: the next one goes on from there, or another host does already. */
export function isInterruption(error: unknown): boolean {
  if (error instanceof StorageUnavailableError) return true;
  if (!(error instanceof ServiceError)) return false;
  return error.code === 'SVC_SERVICE_STOPPING' || error.code === 'SVC_OPERATION_TAKEN_OVER';
}
