import type { JsonSchema } from '../openapi/index.js';

/** The part of AsyncAPI 3.0 that svc generates. It has no servers: the service does not know its address, and the one of its broker is not for callers. */
export interface AsyncApiDocument {
  readonly asyncapi: string;
  readonly info: Readonly<Record<string, unknown>> & { readonly title: string; readonly version: string };
  readonly defaultContentType: string;
  readonly channels: Readonly<Record<string, Channel>>;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly messages: Readonly<Record<string, Message>>;
    readonly securitySchemes?: Readonly<Record<string, object>>;
  };
}

/** Bindings by protocol. */
export type Bindings = Readonly<Record<string, object>>;

export interface Reference {
  readonly $ref: string;
}

export interface Channel {
  readonly address: string;
  readonly title: string;
  readonly description: string;
  readonly messages: Readonly<Record<string, Reference>>;
  readonly parameters?: Readonly<Record<string, { readonly description?: string; readonly enum?: readonly string[] }>>;
  readonly bindings?: Bindings;
}

export interface Operation {
  /** What the service does: it sends to the channel, or receives from it. */
  readonly action: 'send' | 'receive';
  readonly channel: Reference;
  readonly title: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Reference[];
  readonly messages: readonly Reference[];
  readonly bindings?: Bindings;
}

export interface Message {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly contentType: string;
  readonly headers: JsonSchema;
  readonly payload: JsonSchema;
  readonly correlationId?: { readonly location: string };
  readonly bindings?: Bindings;
}

/** The channels of one kind, with everything that they refer to. */
export interface DescribedChannels {
  readonly channels: Readonly<Record<string, Channel>>;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly messages: Readonly<Record<string, Message>>;
}
