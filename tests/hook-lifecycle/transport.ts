import type { Service } from '@svc/core';

/** A way to reach the endpoints of a service from outside: what the hook lifecycle is run against. */
export interface Transport {
  /** Serves `service`, whose one endpoint has a REST route and a GraphQL mutation. */
  start(service: Service): Promise<RunningTransport>;
}

export interface RunningTransport {
  /** Calls the endpoint. When `abort` fires, the client goes away without waiting for the answer. */
  send(body: { name: string }, options?: { abort?: AbortSignal }): Promise<Outcome>;
  /** What the transport was given as errors, in order: the very objects. */
  readonly errors: readonly unknown[];
  stop(): Promise<void>;
}

/** How a call ended for the client. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The client was told why. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The client was told that the service failed, and nothing more. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'gone' };
