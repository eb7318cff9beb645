import type { Uuid } from '../json/index.js';

/** The security values of the caller that caused a message, such as tenant and user. */
export type EnvelopeScope = Readonly<Record<string, string | null>>;

/** A message with its id, type, stream, time, cause, scope and metadata. */
export interface MessageEnvelope<TPayload extends object = object> {
  readonly id: Uuid;
  /** The registered type name: `orders.CreateOrder`. */
  readonly type: string;
  readonly payload: TPayload;
  /** The stream an event belongs to; a command has none. */
  readonly streamId: Uuid | null;
  readonly timestamp: Date;
  /** The same for all messages that one external request caused. */
  readonly correlationId: Uuid;
  /** The message that caused this one; null for the first of a chain. */
  readonly causationId: Uuid | null;
  readonly scope: EnvelopeScope | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}
