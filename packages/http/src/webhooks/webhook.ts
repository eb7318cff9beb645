import {
  ServiceError,
  type Event,
  type MessageClass,
  type Reaction,
  type ReactionContext,
  type ReactionOptions,
  type ReactionRetry,
} from '@svc/core';
import type { AddedReaction } from '@svc/core/hosting';
import { structuredCloudEvent } from '@svc/core/transport';
import { deliveryFailed, requireSuccess, WebhookRejectedError } from './delivery-errors.js';
import { post, type Post } from './post.js';
import { AddressRejectedError, publicLookup, requirePublicHost } from './public-address.js';
import { SigningSecrets } from './signing-secret.js';

/** Options of `webhook`. */
export interface WebhookOptions extends ReactionOptions {
  /** The name under which its progress is stored: 1 to 100 letters, digits, `.`, `_` or `-`. */
  readonly name: string;
  /** Where the events are sent. It must start with `https:`, unless private addresses are allowed. Errors show only its origin. */
  readonly url: string;
  /** The secret that signs the events: `whsec_` and 24 to 64 bytes in Base64. With several, each event has a signature for each of them. */
  readonly secret: string | readonly string[];
  /** The events to deliver. */
  readonly events: readonly MessageClass<Event>[];
  /** The tenant whose events are delivered; null: the events of all tenants, and those without one. */
  readonly tenantId: string | null;
  /** How long an attempt may take, in milliseconds. Default: 15,000. */
  readonly timeoutMs?: number;
  /** Allows loopback and private addresses, and `http:`. Default: false. */
  readonly allowPrivateAddresses?: boolean;
}

/**
 * Delivers events to a URL: each as a CloudEvent, signed as Standard Webhooks defines, at least once, in the order of its stream. It is a reaction,
 * with the retries, the parking and the commands of reactions.
 *
 * @example
 * ```ts
 * service.addReaction(webhook({ name: 'partner', url, secret, events: [OrderPlaced], tenantId: 'acme', from: 'now' }));
 * ```
 */
export function webhook(options: WebhookOptions): AddedReaction {
  const { name, url: text, secret, events, tenantId, timeoutMs = 15_000, allowPrivateAddresses = false } = options;
  const url = urlOf(name, text, allowPrivateAddresses);
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1) {
    throw invalid(name, 'timeoutMs must be a whole number of at least 1');
  }
  if (events.length === 0) throw invalid(name, 'events must not be empty');
  // Otherwise a forgotten option would send the events of all tenants to one of them.
  if (tenantId !== null && (typeof tenantId !== 'string' || tenantId === '')) {
    throw invalid(name, 'tenantId must be the tenant whose events are delivered, or null for all tenants');
  }
  const secrets = new SigningSecrets(secret);
  const lookup = allowPrivateAddresses ? {} : { lookup: publicLookup() };
  return {
    name,
    events,
    ...(options.from !== undefined && { from: options.from }),
    ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
    retry: retryOf(options.retry),
    create: (write) => new WebhookReaction({ url, secrets, write, tenantId, timeoutMs, ...lookup }),
  };
}

interface WebhookParts extends Pick<Post, 'url' | 'lookup'> {
  readonly secrets: SigningSecrets;
  readonly write: (event: Event) => string;
  readonly tenantId: string | null;
  readonly timeoutMs: number;
}

class WebhookReaction implements Reaction<Event> {
  readonly #parts: WebhookParts;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  async react(event: Event, { envelope, key, signal }: ReactionContext): Promise<void> {
    const { url, lookup, secrets, write, tenantId, timeoutMs } = this.#parts;
    if (tenantId !== null && envelope.scope?.['tenantId'] !== tenantId) return;
    const { streamId, timestamp: time } = envelope;
    const body = structuredCloudEvent({
      ...envelope,
      streamId: streamId!,
      timestamp: time.getTime(),
      body: write(event),
    });
    // The time of the attempt, not of the event: receivers reject old signatures.
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'svc',
      'webhook-id': key,
      'webhook-timestamp': timestamp,
      'webhook-signature': secrets.sign(key, timestamp, body),
    };
    const limit = AbortSignal.timeout(timeoutMs);
    const ending = AbortSignal.any([signal, limit]);
    try {
      const posted = await post({ url, headers, body, signal: ending, ...(lookup !== undefined && { lookup }) });
      requireSuccess(posted, url.origin);
    } catch (error) {
      if (signal.aborted || error instanceof ServiceError) throw error;
      if (limit.aborted) throw deliveryFailed(`${url.origin}: it did not answer within ${timeoutMs} ms.`);
      throw deliveryFailed(`${url.origin}: the connection failed (${codeOf(error)}).`);
    }
  }
}

/** Errors that a retry would not fix: what the receiver rejected, and addresses that are not public. */
function retryOf(retry: ReactionRetry = {}): ReactionRetry {
  return { ...retry, except: [...(retry.except ?? []), WebhookRejectedError, AddressRejectedError] };
}

function urlOf(name: string, text: string, allowPrivateAddresses: boolean): URL {
  if (!URL.canParse(text)) throw invalid(name, 'url must be a URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw invalid(name, 'url must not contain a user or a password');
  const isAllowed = url.protocol === 'https:' || (allowPrivateAddresses && url.protocol === 'http:');
  if (!isAllowed) throw invalid(name, 'url must start with https:, or with http: if allowPrivateAddresses is set');
  if (!allowPrivateAddresses) requirePublicHost(url);
  return url;
}

/** Without its message, which may contain a part of the URL. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function invalid(name: string, why: string): ServiceError {
  return new ServiceError('SVC_INVALID_VALUE', `Cannot create the webhook "${name}": ${why}.`);
}
