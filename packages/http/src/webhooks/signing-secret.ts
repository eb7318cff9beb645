/**
 * Signatures of Standard Webhooks: an HMAC-SHA256 over id, time and body, made with Node's own HMAC. The package `standardwebhooks` brings two packages
 * for HMAC and Base64 in JavaScript, and has only one secret and a fixed tolerance.
 */
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { ServiceError } from '@svc/core';

const prefix = 'whsec_';
/** The limits of the specification. */
const [shortestKey, longestKey] = [24, 64];

/** The secrets of a webhook. Errors and inspections do not show them. */
export class SigningSecrets {
  readonly #keys: readonly KeyObject[];

  /** Throws for a secret that is not `whsec_` and 24 to 64 bytes in Base64. */
  constructor(secret: string | readonly string[]) {
    this.#keys = [secret].flat().map(keyOf);
    if (this.#keys.length === 0) throw invalid();
  }

  /** A signature for each secret, as in the header `webhook-signature`. */
  sign(id: string, timestamp: string, body: string | Uint8Array): string {
    return this.#keys.map((key) => `v1,${hmac(key, id, timestamp, body).toString('base64')}`).join(' ');
  }

  /** Whether one of the signatures in a header was made with one of the secrets. The comparison takes the same time wherever they differ. */
  isSigned(header: string, id: string, timestamp: string, body: string | Uint8Array): boolean {
    const signatures = header
      .split(' ')
      .filter((signature) => signature.startsWith('v1,'))
      .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'));
    return this.#keys.some((key) => {
      const expected = hmac(key, id, timestamp, body);
      return signatures.some((given) => given.length === expected.length && timingSafeEqual(given, expected));
    });
  }
}

function hmac(key: KeyObject, id: string, timestamp: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

function keyOf(secret: string): KeyObject {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  if (!isBase64 || bytes.length < shortestKey || bytes.length > longestKey) throw invalid();
  return createSecretKey(bytes);
}

function invalid(): ServiceError {
  return new ServiceError(
    'SVC_INVALID_VALUE',
    `The secret of a webhook must be "${prefix}" followed by ${shortestKey} to ${longestKey} random bytes in Base64.`,
  );
}
