import type { CommandOptions, ReadOptions } from './options.js';

/** A GraphQL operation that `svc generate` found in your sources and checked against the schema. */
export interface GraphQLDocument<TResult, TVariables> {
  /** The operation as the client sends it, with the fragments that it uses. */
  readonly text: string;
  /** Converts received JSON; null if it needs no change. */
  readonly read: ((json: never) => TResult) | null;
  /** Only for the compiler; always absent. */
  readonly types?: ((variables: TVariables) => TResult) | undefined;
}

/** A query, for `client.query`. */
export interface QueryDocument<TResult, TVariables> extends GraphQLDocument<TResult, TVariables> {
  readonly kind: 'query';
  /** Whether the text has the variables `svcAfterEvent` and `svcWaitSeconds`, which the client sets. */
  readonly isWaiting: boolean;
}

/** A mutation, for `client.mutate`. */
export interface MutationDocument<TResult, TVariables> extends GraphQLDocument<TResult, TVariables> {
  readonly kind: 'mutation';
  /** Whether it is one command. An idempotency key applies to one command, so that others are not retried. */
  readonly isOneCommand: boolean;
}

/** A subscription, for `client.subscribe`. */
export interface SubscriptionDocument<TResult, TVariables> extends GraphQLDocument<TResult, TVariables> {
  readonly kind: 'subscription';
  /** Whether the text has the variables `svcAfterEvent` and `svcWaitSeconds`, which the client sets. */
  readonly isWaiting: boolean;
  /** The name of the list in the result. Its `svcPlace` is the value of `svcSince` after a reconnect. Null: the text has neither. */
  readonly list: string | null;
}

/** The variables of a document, which can be omitted if none is required, and then options. */
export type DocumentArguments<TVariables, TOptions> = object extends TVariables
  ? [variables?: TVariables, options?: TOptions]
  : [variables: TVariables, options?: TOptions];

/** Runs queries. */
export type RunQuery = <TResult, TVariables>(
  document: QueryDocument<TResult, TVariables>,
  ...rest: DocumentArguments<NoInfer<TVariables>, ReadOptions>
) => Promise<TResult>;

/** Runs mutations. */
export type RunMutation = <TResult, TVariables>(
  document: MutationDocument<TResult, TVariables>,
  ...rest: DocumentArguments<NoInfer<TVariables>, CommandOptions>
) => Promise<TResult>;

/**
 * Runs subscriptions. The iteration connects again when a connection is lost. It ends when the service has nothing more to send, and throws if the service
 * rejects the subscription.
 */
export type RunSubscription = <TResult, TVariables>(
  document: SubscriptionDocument<TResult, TVariables>,
  ...rest: DocumentArguments<NoInfer<TVariables>, ReadOptions>
) => AsyncIterable<TResult>;
