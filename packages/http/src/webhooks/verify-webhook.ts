import type { IncomingHttpHeaders } from 'node:http';
import { UnauthenticatedError } from '@svc/core';
import { SigningSecrets } from './signing-secret.js';

/** Options of `verifyWebhook`. */
export interface VerifyWebhookOptions {
  /** How old a signature may be, and how far in the future, in seconds. An older request may be a replay. Default: 300. */
  readonly toleranceSeconds?: number;
}

/** A request whose signature is valid. */
export interface VerifiedWebhook {
  /** The same each time the sender repeats the webhook: process each id once. */
  readonly id: string;
  /** When the sender signed it. */
  readonly timestamp: Date;
}

/**
 * Verifies a received webhook as Standard Webhooks defines: its signature over id, time and exact bytes, and its age. Throws
 * `UnauthenticatedError`, a 401 over REST. With several secrets, one of them must match.
 */
export function verifyWebhook(
  secret: string | readonly string[],
  headers: IncomingHttpHeaders,
  rawBody: Uint8Array,
  { toleranceSeconds = 300 }: VerifyWebhookOptions = {},
): VerifiedWebhook {
  const secrets = new SigningSecrets(secret);
  const id = textOf(headers['webhook-id']);
  const timestamp = textOf(headers['webhook-timestamp']);
  const signature = textOf(headers['webhook-signature']);
  if (!/^\d{1,12}$/.test(timestamp)) throw new UnauthenticatedError('The header webhook-timestamp is not a time.');
  if (!secrets.isSigned(signature, id, timestamp, rawBody)) {
    throw new UnauthenticatedError('The signature of the webhook is not valid.');
  }
  const signedAt = Number(timestamp) * 1_000;
  // Rejects even if the tolerance is not a number.
  if (!(Math.abs(Date.now() - signedAt) <= toleranceSeconds * 1_000)) {
    throw new UnauthenticatedError('The signature of the webhook is too old, or its time is in the future.');
  }
  return { id, timestamp: new Date(signedAt) };
}

function textOf(header: string | string[] | undefined): string {
  if (typeof header === 'string' && header !== '') return header;
  throw new UnauthenticatedError('The request needs the headers webhook-id, webhook-timestamp and webhook-signature.');
}
