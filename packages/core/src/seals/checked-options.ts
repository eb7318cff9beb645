import { ServiceError } from '../errors/index.js';
import type { CheckpointAnchor } from './anchor.js';
import { privateSealKey, type PrivateSealKey } from './seal-keys.js';
import type { SealOptions } from './seal-options.js';

/** Valid options of `addSeals`. */
export interface CheckedSealOptions {
  readonly keys: readonly PrivateSealKey[];
  readonly anchors: readonly CheckpointAnchor[];
  readonly everyMs: number;
  readonly oldKeyIsLost: boolean;
}

const defaultEveryMs = 1_000;

/** Throws if a key is invalid, or two anchors have the same name. */
export function checkedSealOptions(options: SealOptions): CheckedSealOptions {
  const { keys, anchors = [], everyMs = defaultEveryMs, oldKeyIsLost = false } = options;
  if (keys.length === 0) {
    throw new ServiceError('SVC_INVALID_SEAL_KEY', 'addSeals needs a key. Create one with: svc audit key.');
  }
  if (!(everyMs > 0)) throw new RangeError(`everyMs must be above 0 milliseconds, not ${everyMs}.`);
  const twice = anchors.find(({ name }, index) => anchors.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new TypeError(`Two anchors have the name "${twice.name}". Give each its own name.`);
  return { keys: keys.map(privateSealKey), anchors, everyMs, oldKeyIsLost };
}
