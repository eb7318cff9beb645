import type { LiveStep, LiveWatch, PerspectiveQuery } from '@svc/core/hosting';
import type { GraphQLField } from 'graphql';
import type { RequestContext } from '../request-context.js';

/** What a subscription watches: the models of a query, for the same callers. */
export interface SubscriptionSource {
  readonly query: PerspectiveQuery;
  /** The key of the model, if it is for one. */
  readonly keyOf: (args: Readonly<Record<string, unknown>>) => string | undefined;
  /** Null: the caller sees no model with this key. */
  readonly watch: (args: Readonly<Record<string, unknown>>, request: RequestContext) => Promise<LiveWatch | null>;
  /** The value of the field after a step. */
  readonly valueOf: (step: LiveStep) => unknown;
}

/** Returns the source of a subscription. */
export type SourceOf = (field: GraphQLField<unknown, unknown>) => SubscriptionSource;
