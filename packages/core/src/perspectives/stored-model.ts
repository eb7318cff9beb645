import { ServiceError } from '../errors/index.js';
import { readOrThrow } from '../json/index.js';
import type { NamedPerspective } from './perspective.js';

/**
 * A kept model as its type has it. Properties beyond that are those of a newer version, which may have kept it, and are passed over. One
 * that does not fit was kept by another version of the perspective: nothing that whoever reads it
 * could do something about, so it is not told like a request that is not valid.
 */
export function readStoredModel(
  { name, readModel }: Pick<NamedPerspective, 'name' | 'readModel'>,
  body: string,
): object {
  try {
    return readOrThrow(readModel, JSON.parse(body), { passUnknown: true, isStored: true });
  } catch (cause) {
    throw new ServiceError(
      'SVC_UNREADABLE_MODEL',
      `A stored model of ${name} does not match its type. Rebuild the perspective.`,
      { cause },
    );
  }
}
