import type { KeyObject } from 'node:crypto';
import type { CheckpointAnchor } from './anchor.js';

/** The options of `addSeals`. */
export interface SealOptions {
  /**
   * The private Ed25519 keys, as PEM or as key objects. The first one signs. To rotate keys, pass the new key before the old one: the old key signs
   * one more checkpoint, which announces the new key. Then remove the old key.
   */
  readonly keys: readonly (string | KeyObject)[];
  /** Where checkpoints are stored outside of the database. Default: nowhere. */
  readonly anchors?: readonly CheckpointAnchor[];
  /** How long an event waits for its seal at most, in milliseconds, unless the database or the host is overloaded. Default: 1,000. */
  readonly everyMs?: number;
  /**
   * Continues with a new key although no given key has signed or was announced before, because the old one is lost. Verifying needs the new key as
   * `--key`, or an anchor. Default: false.
   */
  readonly oldKeyIsLost?: boolean;
}
