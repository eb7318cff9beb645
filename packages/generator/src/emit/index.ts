import type { ServiceModel } from '../model/index.js';
import { emitEndpoint } from './endpoint-emitter.js';
import { emitGraphQL } from './graphql-emitter.js';
import { emitJsonModules } from './json-emitter.js';
import { emitOpenapi } from './openapi-emitter.js';
import { emitRegistry } from './registry-emitter.js';
import { TypeIndex } from './type-index.js';

/** Everything generated for a service: path below the source root → text. The same model always gives the same bytes. */
export function emit(model: ServiceModel): ReadonlyMap<string, string> {
  const types = new TypeIndex(model.types);
  const commands = new Map(model.messages.map((message) => [message.name, message]));
  const files = [
    ...emitJsonModules(model, types),
    ...model.endpoints.map((endpoint) => emitEndpoint(endpoint, commands.get(endpoint.command)!, types)),
    emitOpenapi(model, types),
    ...emitGraphQL(model, types),
    emitRegistry(model, types),
  ];
  return new Map(files.map((file) => [file.path, file.toString()] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export { endpointModule, kebabCase } from './names.js';
export { header } from './source-file.js';
