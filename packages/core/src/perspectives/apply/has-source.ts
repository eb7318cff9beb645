import type { NamedPerspective } from '../perspective.js';

/** How many positions at the start of a stream are scanned for the events of a model. */
export const scannedPositions = 1_000;

/**
 * Whether the position of a model's event is stored, so that a late event costs no more in a long stream than in a short one. The first events of
 * the model's own stream are found by a scan instead.
 */
export function hasSource({ perspective }: NamedPerspective, position: number): boolean {
  return perspective.keyOf !== undefined || position >= scannedPositions;
}
