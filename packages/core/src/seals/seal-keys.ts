/** The Ed25519 keys that sign checkpoints. A key is named by the first digits of the SHA-256 of its public key. */
import { createPrivateKey, createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';
import { ServiceError } from '../errors/index.js';

/** A public key, as checkpoints contain it. */
export interface PublicSealKey {
  readonly id: string;
  /** The 32 bytes of the key in base64url. */
  readonly publicKey: string;
}

/** A key that this host can sign with. */
export interface PrivateSealKey extends PublicSealKey {
  readonly privateKey: KeyObject;
}

/** Reads a private Ed25519 key. Throws `SVC_INVALID_SEAL_KEY` if it is invalid. */
export function privateSealKey(given: string | KeyObject): PrivateSealKey {
  try {
    const privateKey = typeof given === 'string' ? createPrivateKey(given) : given;
    if (privateKey.type !== 'private') throw new TypeError('It is a public key.');
    return { ...publicSealKey(createPublicKey(privateKey)), privateKey };
  } catch (error) {
    throw invalidKey('private', error);
  }
}

/** Reads a public Ed25519 key, as PEM, as 43 characters of base64url, or as a key object. Throws `SVC_INVALID_SEAL_KEY` if it is invalid. */
export function publicSealKey(given: string | KeyObject): PublicSealKey {
  try {
    if (typeof given === 'string' && /^[\w-]{43}$/.test(given)) return { id: idOf(given), publicKey: given };
    const key = typeof given === 'string' ? createPublicKey(given) : given;
    if (key.asymmetricKeyType !== 'ed25519') throw new TypeError(`It is of type ${key.asymmetricKeyType}.`);
    const publicKey = key.export({ format: 'jwk' }).x!;
    return { id: idOf(publicKey), publicKey };
  } catch (error) {
    throw invalidKey('public', error);
  }
}

export function signText(text: string, { privateKey }: PrivateSealKey): string {
  return sign(null, Buffer.from(text), privateKey).toString('base64url');
}

export function isSignedBy(text: string, signature: string, { publicKey }: PublicSealKey): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  // Base64url has several texts for the same bytes, and a checkpoint has one.
  if (bytes.toString('base64url') !== signature) return false;
  try {
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicKey } });
    return verify(null, Buffer.from(text), key, bytes);
  } catch {
    return false;
  }
}

/** Whether a public key has the id that a checkpoint names it by. */
export function hasItsId({ id, publicKey }: PublicSealKey): boolean {
  return id === idOf(publicKey);
}

function idOf(publicKey: string): string {
  return hash('sha256', Buffer.from(publicKey, 'base64url')).slice(0, 16);
}

function invalidKey(kind: 'private' | 'public', cause: unknown): ServiceError {
  return new ServiceError(
    'SVC_INVALID_SEAL_KEY',
    `A ${kind} key for seals is invalid: it must be an Ed25519 key, as PEM or as a key object. Create one with: svc audit key.`,
    { cause },
  );
}
