/**
 * Keys that hosts sign their messages with: Ed25519, or a secret that sender and receiver share (HMAC-SHA256). A key decides the algorithm;
 * a message cannot.
 */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { ServiceError } from '../errors/index.js';

/** A secret that sender and receiver share: at least 32 bytes. A text counts as UTF-8. */
export interface SharedKey {
  /** Names the key in messages: 1 to 100 letters, digits, ".", "_" or "-". */
  readonly id: string;
  readonly secret: string | Uint8Array | KeyObject;
}

/** The private half of an Ed25519 pair, as PEM or as a key object. */
export interface PrivateMessageKey {
  readonly id: string;
  readonly privateKey: string | KeyObject;
}

/** The public half of an Ed25519 pair, as PEM or as a key object. */
export interface PublicMessageKey {
  readonly id: string;
  readonly publicKey: string | KeyObject;
}

export type SigningKey = SharedKey | PrivateMessageKey;
export type VerifyingKey = SharedKey | PublicMessageKey;

/** A key that was checked. */
export interface CheckedKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** A shorter secret is weaker than the hash it is used with. */
const leastSecretBytes = 32;

/** Throws `SVC_INVALID_MESSAGE_KEY` when it is not a key to sign with. */
export function signingKey(given: SigningKey): CheckedKey {
  const id = checkedId(given.id);
  if ('secret' in given) return { id, key: sharedSecret(id, given.secret) };
  return { id, key: ed25519(id, 'private', given.privateKey) };
}

/** Throws `SVC_INVALID_MESSAGE_KEY` when it is not a key to verify with. */
export function verifyingKey(given: VerifyingKey): CheckedKey {
  const id = checkedId(given.id);
  if ('secret' in given) return { id, key: sharedSecret(id, given.secret) };
  return { id, key: ed25519(id, 'public', given.publicKey) };
}

export function signatureOf(text: string, { key }: CheckedKey): string {
  const bytes = key.type === 'secret' ? mac(text, key) : sign(null, Buffer.from(text), key);
  return bytes.toString('base64url');
}

export function isSignatureOf(text: string, signature: string, { key }: CheckedKey): boolean {
  const given = Buffer.from(signature, 'base64url');
  if (key.type !== 'secret') return verify(null, Buffer.from(text), key, given);
  const expected = mac(text, key);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function mac(text: string, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function checkedId(id: unknown): string {
  if (typeof id === 'string' && /^[\w.-]{1,100}$/.test(id)) return id;
  throw new ServiceError(
    'SVC_INVALID_MESSAGE_KEY',
    'A message key has no usable id. Name it with 1 to 100 letters, digits, ".", "_" or "-".',
  );
}

function sharedSecret(id: string, secret: SharedKey['secret']): KeyObject {
  const key =
    secret instanceof KeyObject
      ? secret
      : createSecretKey(typeof secret === 'string' ? Buffer.from(secret) : Buffer.from(secret));
  if (key.type !== 'secret') throw invalid(id, `its secret is a ${key.type} key`, 'Give it as privateKey or publicKey');
  const bytes = key.symmetricKeySize ?? 0;
  if (bytes < leastSecretBytes) {
    throw invalid(id, `its secret has ${bytes} bytes`, `Use at least ${leastSecretBytes} random bytes`);
  }
  return key;
}

function ed25519(id: string, type: 'private' | 'public', given: string | KeyObject): KeyObject {
  // node:crypto would derive the public half, and a receiver would hold what only the sender may.
  if (type === 'public' && typeof given === 'string' && given.includes('PRIVATE KEY')) {
    throw invalid(id, 'a private key was given as publicKey', 'Give the public key, and replace the pair');
  }
  let key: KeyObject;
  try {
    key = given instanceof KeyObject ? given : type === 'private' ? createPrivateKey(given) : createPublicKey(given);
  } catch {
    // What node:crypto throws may repeat a piece of the text.
    throw invalid(id, `its ${type} key is not PEM`, 'Make a pair with generateKeyPairSync("ed25519")');
  }
  if (key.type !== type)
    throw invalid(id, `a ${type} key is needed, and it is a ${key.type} one`, `Give the ${type} key`);
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw invalid(id, `its type is ${key.asymmetricKeyType}`, 'Make a pair with generateKeyPairSync("ed25519")');
}

function invalid(id: string, why: string, fix: string): ServiceError {
  return new ServiceError('SVC_INVALID_MESSAGE_KEY', `The message key ${id} cannot be used: ${why}. ${fix}.`);
}
