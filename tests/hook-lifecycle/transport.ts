import type { Service } from '@svc/core';

/** A way to call the endpoints of a service from outside; the hook lifecycle runs against each. */
export interface Transport {
  /** Serves `service`, whose one endpoint has a REST route and a GraphQL mutation. */
  start(service: Service): Promise<RunningTransport>;
}

export interface RunningTransport {
  /** Calls the endpoint. When `abort` fires, the client disconnects without waiting for the response. */
  send(body: { name: string }, options?: { abort?: AbortSignal }): Promise<Outcome>;
  /** The error objects that reached the transport, in order. */
  readonly errors: readonly unknown[];
  stop(): Promise<void>;
}

/** How a call ended for the client. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The response contains the reason. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The response says only that the service failed. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'gone' };
