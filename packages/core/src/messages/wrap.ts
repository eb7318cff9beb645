import type { Uuid } from '../json/index.js';
import type { EnvelopeScope, MessageEnvelope } from './envelope.js';
import { newId } from './ids.js';
import { inheritedMetadata } from './reserved-metadata.js';

const noMetadata: Readonly<Record<string, unknown>> = Object.freeze({});

export interface EnvelopeOptions {
  /** Default: a new one. */
  readonly id?: Uuid | undefined;
  readonly streamId?: Uuid;
  /** The message that leads to this one: correlation, scope and metadata are taken over from it, without `reservedMetadataKeys`. It becomes the cause. */
  readonly cause?: MessageEnvelope;
  readonly correlationId?: Uuid | undefined;
  /** The id of the message that led to this one, where the message itself is not at hand. */
  readonly causationId?: Uuid | null;
  readonly scope?: EnvelopeScope | null;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Wraps a message that starts now. */
export function wrap<TPayload extends object>(
  type: string,
  payload: TPayload,
  options: EnvelopeOptions = {},
): MessageEnvelope<TPayload> {
  const { id = newId(), cause } = options;
  return {
    id,
    type,
    payload,
    streamId: options.streamId ?? null,
    timestamp: new Date(),
    correlationId: options.correlationId ?? cause?.correlationId ?? id,
    causationId: options.causationId ?? cause?.id ?? null,
    scope: options.scope ?? cause?.scope ?? null,
    metadata: options.metadata ?? (cause === undefined ? noMetadata : inheritedMetadata(cause.metadata)),
  };
}
