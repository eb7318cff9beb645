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
 * The tables that a rebuild fills: those of an interrupted rebuild if they can still replace the serving ones, otherwise new ones. Other rebuild
 * tables are removed; a rebuild on another host that fills them starts again.
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

/** Removes tables of interrupted rebuilds that can no longer replace the serving ones, except those that another host is filling. */
export async function removeLeftovers(
  perspective: string,
  storage: PerspectiveStorage,
  mayTouch: (perspective: string) => Promise<boolean>,
): Promise<void> {
  const left = (await storage.readRebuilding(perspective)).filter(({ isAlike }) => !isAlike);
  if (left.length === 0 || !(await mayTouch(perspective))) return;
  for (const { tables } of left) await storage.removeTables(tables);
}

/** Whether a rebuild was interrupted from outside: the next one, or another host, resumes it. */
export function isInterruption(error: unknown): boolean {
  if (error instanceof StorageUnavailableError) return true;
  if (!(error instanceof ServiceError)) return false;
  return error.code === 'SVC_SERVICE_STOPPING' || error.code === 'SVC_OPERATION_TAKEN_OVER';
}
