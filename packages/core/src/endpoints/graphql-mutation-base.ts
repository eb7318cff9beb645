import type { Command } from '../messages/index.js';
import { MutationEndpointBase } from './mutation-endpoint-base.js';

/** A mutation endpoint that is a field of the GraphQL schema, without a REST route. */
export abstract class GraphQLMutationBase<
  TCommand extends Command,
  TResult,
  TRequest = TCommand,
> extends MutationEndpointBase<TCommand, TResult, TRequest> {
  abstract readonly graphQLMutation: string;
}
