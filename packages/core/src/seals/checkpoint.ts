import { hash } from 'node:crypto';
import type { Uuid } from '../json/index.js';
import type { LogPlace } from '../storage/index.js';
import { canonicalText } from './canonical-json.js';
import { hasItsId, isSignedBy, signText, type PrivateSealKey, type PublicSealKey } from './seal-keys.js';

/** The state of a log up to one of its events, as it is signed. */
export interface UnsignedCheckpoint {
  readonly format: 'svc-checkpoint/1';
  /** The id of the log, from its first checkpoint. */
  readonly log: Uuid;
  /** Counts from 1. */
  readonly number: number;
  /** How many events the log has up to `end`. */
  readonly size: number;
  /** The root of the Merkle tree of these events, in hexadecimal digits. */
  readonly root: string;
  /** The digest of the previous checkpoint; null for the first. */
  readonly predecessor: string | null;
  /** The digest of what the seal stores of each event since the previous checkpoint. */
  readonly entries: string;
  /** The place of the last event. */
  readonly end: LogPlace;
  /** In the form of ISO 8601. */
  readonly time: string;
  /** All public keys that have signed or may sign checkpoints of this log. */
  readonly keys: readonly PublicSealKey[];
  /** The id of the key that signs this one. */
  readonly key: string;
}

/** A signed checkpoint. */
export interface Checkpoint extends UnsignedCheckpoint {
  readonly signature: string;
}

/** Signs a checkpoint and returns its canonical text. */
export function signedText(checkpoint: UnsignedCheckpoint, key: PrivateSealKey): string {
  return canonicalText({ ...checkpoint, signature: signText(canonicalText(checkpoint), key) });
}

/** The digest by which the next checkpoint names this one. */
export function digestOfCheckpoint(text: string): string {
  return hash('sha256', text);
}

/** Reads a checkpoint. Null: the text is not one, or not in its canonical form. */
export function readCheckpoint(text: string): Checkpoint | null {
  let read: Checkpoint;
  try {
    read = JSON.parse(text) as Checkpoint;
    if (canonicalText(read) !== text) return null;
  } catch {
    return null;
  }
  return isCheckpoint(read) ? read : null;
}

/** Why the signature of a checkpoint proves nothing; null: one of the trusted keys has signed it. */
export function signatureFault(
  checkpoint: Checkpoint,
  trusted: ReadonlyMap<string, PublicSealKey>,
): 'unknown-key' | 'invalid-signature' | null {
  const key = trusted.get(checkpoint.key);
  if (key === undefined) return 'unknown-key';
  const { signature, ...unsigned } = checkpoint;
  return isSignedBy(canonicalText(unsigned), signature, key) ? null : 'invalid-signature';
}

function isCheckpoint(read: Partial<Checkpoint> | null): read is Checkpoint {
  return (
    read?.format === 'svc-checkpoint/1' &&
    Number.isSafeInteger(read.number) &&
    Number.isSafeInteger(read.size) &&
    isDigest(read.root) &&
    isDigest(read.entries) &&
    (read.predecessor === null || isDigest(read.predecessor)) &&
    typeof read.end?.sequence === 'number' &&
    Array.isArray(read.keys) &&
    read.keys.every((key) => typeof key?.publicKey === 'string' && hasItsId(key)) &&
    typeof read.key === 'string' &&
    typeof read.signature === 'string'
  );
}

function isDigest(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
