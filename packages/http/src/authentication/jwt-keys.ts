import { createPublicKey, KeyObject } from 'node:crypto';
import type { FindKey } from './found-key.js';
import { invalidAuthentication } from './invalid-authentication.js';
import type { JwtKeySource } from './jwt-options.js';
import { remoteKeys } from './remote-keys.js';

/** The keys and algorithms that verify signatures. */
export interface JwtKeys {
  readonly findKey: FindKey;
  readonly algorithms: string[];
}

const rsa = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const ofCurves: Readonly<Record<string, readonly string[]>> = {
  prime256v1: ['ES256'],
  secp384r1: ['ES384'],
  secp521r1: ['ES512'],
};
const ofPublicKeys = [...rsa, ...Object.values(ofCurves).flat(), 'EdDSA', 'Ed25519'];
/** A secret shorter than the hash is easier to guess than the signature. */
const leastBytes: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 };

/**
 * The keys, and the algorithms that fit their kind. A token names its own algorithm: if any were accepted, a public key could be used as a
 * shared secret, and every client could issue tokens.
 */
export function jwtKeys(source: JwtKeySource, wanted: readonly string[] | undefined): JwtKeys {
  if (wanted?.length === 0) throw invalidAuthentication('algorithms is empty. Name at least one, or omit it.');
  const given = ['jwks', 'publicKey', 'secret'].filter((name) => name in source);
  if (given.length !== 1) {
    throw invalidAuthentication(`Set exactly one of jwks, publicKey and secret, not ${given.join(' and ') || 'none'}.`);
  }
  if ('jwks' in source) {
    const { jwks, keySet } = source;
    return { findKey: remoteKeys(jwks, keySet), algorithms: fitting(wanted, ofPublicKeys, 'a key set') };
  }
  if ('publicKey' in source) {
    const key = publicKeyOf(source.publicKey);
    return { findKey: always(key), algorithms: fitting(wanted, algorithmsOf(key), 'this public key') };
  }
  const algorithms = fitting(wanted ?? ['HS256'], Object.keys(leastBytes), 'a secret');
  return { findKey: always(secretFor(source.secret, algorithms)), algorithms };
}

/** A secret that is long enough for the algorithms. */
export function secretFor(given: string | Uint8Array, algorithms: readonly string[]): Uint8Array {
  const secret = typeof given === 'string' ? new TextEncoder().encode(given) : given;
  const least = Math.max(...algorithms.map((name) => leastBytes[name]!));
  if (secret.byteLength >= least) return secret;
  throw invalidAuthentication(`The secret has ${secret.byteLength} bytes; ${algorithms.join(' and ')} needs ${least}.`);
}

/** A key of the configuration is valid until the host ends. */
function always(key: KeyObject | Uint8Array): FindKey {
  const found = Promise.resolve({ key, usableUntil: Number.POSITIVE_INFINITY });
  return () => found;
}

function fitting(wanted: readonly string[] | undefined, possible: readonly string[], kind: string): string[] {
  const wrong = wanted?.filter((name) => !possible.includes(name)) ?? [];
  if (wrong.length === 0) return [...(wanted ?? possible)];
  throw invalidAuthentication(`${wrong.join(', ')} cannot be used with ${kind}; ${possible.join(', ')} can.`);
}

function publicKeyOf(given: Extract<JwtKeySource, { readonly publicKey: unknown }>['publicKey']): KeyObject {
  try {
    if (given instanceof KeyObject) return given.type === 'public' ? given : createPublicKey(given);
    return typeof given === 'string' ? createPublicKey(given) : createPublicKey({ key: { ...given }, format: 'jwk' });
  } catch {
    // The message omits the value: it may be a private key.
    throw invalidAuthentication('publicKey cannot be read. Set a public key as PEM, JWK or key object.');
  }
}

function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly string[] {
  if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048) return rsa;
  if (asymmetricKeyType === 'ed25519') return ['EdDSA', 'Ed25519'];
  const ofCurve = ofCurves[asymmetricKeyDetails?.namedCurve ?? ''];
  if (asymmetricKeyType === 'ec' && ofCurve !== undefined) return ofCurve;
  throw invalidAuthentication('publicKey must be RSA of at least 2048 bits, P-256, P-384, P-521 or Ed25519.');
}
