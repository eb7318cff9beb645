import { ServiceError } from '../errors/index.js';
import { readOrThrow } from '../json/index.js';
import type { NamedPerspective } from './perspective.js';

/**
 * Reads a stored model. Unknown properties are ignored: a newer version may have stored them. A model that does not match its type was stored
 * by another version of the perspective. The caller cannot fix that, so it is not a `ValidationError`.
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
