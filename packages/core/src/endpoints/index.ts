export {
  commandEndpoint,
  endpointAccessOf,
  type CommandEndpointDecorator,
  type CommandEndpointOptions,
  type EndpointAccess,
} from './command-endpoint.js';
export { GraphQLMutationBase } from './graphql-mutation-base.js';
export type { MutationContext } from './mutation-context.js';
export type { OverriddenHooks } from './hook-use.js';
export { MutationEndpointBase } from './mutation-endpoint-base.js';
export { RestMutationEndpointBase } from './rest-mutation-endpoint-base.js';
