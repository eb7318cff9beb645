import type { Command } from '../messages/index.js';
import { MutationEndpointBase } from './mutation-endpoint-base.js';

/** A mutation endpoint that is a POST route. */
export abstract class RestMutationEndpointBase<
  TCommand extends Command,
  TResult,
  TRequest = TCommand,
> extends MutationEndpointBase<TCommand, TResult, TRequest> {
  abstract readonly restRoute: string;
}
