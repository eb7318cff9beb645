import type { Uuid } from '../json/index.js';

/** Security values of whoever caused a message: tenant, user and the like. */
export type EnvelopeScope = Readonly<Record<string, string | null>>;

/** A message and what is known about it. */
export interface MessageEnvelope<TPayload extends object = object> {
  readonly id: Uuid;
  /** The registered type name: `orders.CreateOrder`. */
  readonly type: string;
  readonly payload: TPayload;
  /** The stream an event belongs to; a command has none. */
  readonly streamId: Uuid | null;
  readonly timestamp: Date;
  /** The same for everything that one outside request set in motion. */
  readonly correlationId: Uuid;
  /** The message that led to this one; null for the first of a chain. */
  readonly causationId: Uuid | null;
  readonly scope: EnvelopeScope | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}
