/** Keys for message signatures: Ed25519, or a shared secret (HMAC-SHA256). The key determines the algorithm, never the message. */
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

/** A secret of at least 32 bytes that sender and receiver share. A string is encoded as UTF-8. */
export interface SharedKey {
  /** The id of the key in messages: 1 to 100 letters, digits, ".", "_" or "-". */
  readonly id: string;
  readonly secret: string | Uint8Array | KeyObject;
}

/** The private key of an Ed25519 key pair, as PEM or as a key object. */
export interface PrivateMessageKey {
  readonly id: string;
  readonly privateKey: string | KeyObject;
}

/** The public key of an Ed25519 key pair, as PEM or as a key object. */
export interface PublicMessageKey {
  readonly id: string;
  readonly publicKey: string | KeyObject;
}

/** A key to sign messages with. */
export type SigningKey = SharedKey | PrivateMessageKey;
/** A key to verify signatures with. */
export type VerifyingKey = SharedKey | PublicMessageKey;

/** A validated key. */
export interface CheckedKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** A shorter secret is weaker than the hash it is used with. */
const leastSecretBytes = 32;

/** Validates a signing key. Throws `SVC_INVALID_MESSAGE_KEY` if it is invalid. */
export function signingKey(given: SigningKey): CheckedKey {
  const id = checkedId(given.id);
  if ('secret' in given) return { id, key: sharedSecret(id, given.secret) };
  return { id, key: ed25519(id, 'private', given.privateKey) };
}

/** Validates a verifying key. Throws `SVC_INVALID_MESSAGE_KEY` if it is invalid. */
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
    'A message key has an invalid id. Use 1 to 100 letters, digits, ".", "_" or "-".',
  );
}

function sharedSecret(id: string, secret: SharedKey['secret']): KeyObject {
  const key =
    secret instanceof KeyObject ? secret : createSecretKey(typeof secret === 'string' ? Buffer.from(secret) : secret);
  if (key.type !== 'secret') throw invalid(id, `its secret is a ${key.type} key`, 'Pass it as privateKey or publicKey');
  const bytes = key.symmetricKeySize ?? 0;
  if (bytes < leastSecretBytes) {
    throw invalid(id, `its secret has ${bytes} bytes`, `Use at least ${leastSecretBytes} random bytes`);
  }
  return key;
}

function ed25519(id: string, type: 'private' | 'public', given: string | KeyObject): KeyObject {
  // node:crypto would derive the public key, but a receiver must never hold the private key.
  if (type === 'public' && typeof given === 'string' && given.includes('PRIVATE KEY')) {
    throw invalid(id, 'its publicKey is a private key', 'Pass the public key, and replace the key pair');
  }
  let key: KeyObject;
  try {
    key = given instanceof KeyObject ? given : type === 'private' ? createPrivateKey(given) : createPublicKey(given);
  } catch {
    // Errors of node:crypto may quote a part of the key.
    throw invalid(id, `its ${type} key is not PEM`, 'Create a key pair with generateKeyPairSync("ed25519")');
  }
  if (key.type !== type)
    throw invalid(id, `it must be a ${type} key, but is a ${key.type} key`, `Pass the ${type} key`);
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw invalid(id, `its type is ${key.asymmetricKeyType}`, 'Create a key pair with generateKeyPairSync("ed25519")');
}

function invalid(id: string, why: string, fix: string): ServiceError {
  return new ServiceError('SVC_INVALID_MESSAGE_KEY', `The message key "${id}" is invalid: ${why}. ${fix}.`);
}
