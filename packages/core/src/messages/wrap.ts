import type { Uuid } from '../json/index.js';
import type { EnvelopeScope, MessageEnvelope } from './envelope.js';
import { newId } from './ids.js';
import { inheritedMetadata } from './reserved-metadata.js';

const noMetadata: Readonly<Record<string, unknown>> = Object.freeze({});

/** What an envelope contains in addition to its type and payload. */
export interface EnvelopeOptions {
  /** Default: a new id. */
  readonly id?: Uuid | undefined;
  readonly streamId?: Uuid;
  /** The cause. The envelope inherits its correlation, scope and metadata, except `reservedMetadataKeys`. */
  readonly cause?: MessageEnvelope;
  readonly correlationId?: Uuid | undefined;
  /** The id of the cause, if the message itself is not available. */
  readonly causationId?: Uuid | null | undefined;
  readonly scope?: EnvelopeScope | null;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Wraps a message in an envelope with the current time. */
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
