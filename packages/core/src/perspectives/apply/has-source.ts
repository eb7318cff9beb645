import { isLowerCaseUuid, type Uuid } from '../../json/index.js';
import { keyOfModelId, type ModelIdentity, type StoredEvent } from '../../storage/index.js';
import type { NamedPerspective } from '../perspective.js';

/** How many positions at the start of a stream are scanned for the events of a model. */
export const scannedPositions = 1_000;

/**
 * Whether the position of a model's event is stored, so that a late event costs no more in a long stream than in a short one. The first events of
 * the model's own stream are found by a scan instead, and an event whose id is the key of the model is found by this id: a model for each event
 * needs no more rows than the models themselves.
 */
export function hasSource({ perspective }: NamedPerspective, { key }: ModelIdentity, event: StoredEvent): boolean {
  return perspective.keyOf === undefined ? event.position >= scannedPositions : key !== event.envelope.id;
}

/** The id of the event whose id is the key of a model, if there is one; null: the key is no id. */
export function namesakeOf(modelId: string): Uuid | null {
  const key = keyOfModelId(modelId);
  return isLowerCaseUuid(key) ? (key as Uuid) : null;
}
