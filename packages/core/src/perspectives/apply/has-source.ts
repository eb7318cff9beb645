import type { NamedPerspective } from '../perspective.js';

/** How many positions of a stream are looked through for the events of a model. */
export const scannedPositions = 1_000;

/**
 * Whether it is noted where a model has an event: a late event must not cost more in a long stream than in a short one. The first events of the
 * stream that a model is named after are found without.
 */
export function hasSource({ perspective }: NamedPerspective, position: number): boolean {
  return perspective.keyOf !== undefined || position >= scannedPositions;
}
