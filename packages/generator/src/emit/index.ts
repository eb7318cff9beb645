import type { ServiceModel } from '../model/index.js';
import { emitEndpoint } from './endpoint-emitter.js';
import { emitGraphQL } from './graphql-emitter.js';
import { emitJsonModules } from './json-emitter.js';
import { TextCache } from './text-cache.js';
import { emitOpenapi } from './openapi-emitter.js';
import { emitRegistry } from './registry-emitter.js';
import { TypeIndex } from './type-index.js';

/**
 * Everything generated for a service: path below the source root → text. The same model always gives the same bytes. `texts` caches
 * the texts of the last run for the unchanged parts of a model.
 */
export function emit(model: ServiceModel, texts: TextCache = new TextCache()): ReadonlyMap<string, string> {
  texts.startEmission();
  const types = TypeIndex.of(model.types);
  const commands = new Map(model.messages.map((message) => [message.name, message]));
  const files = [
    ...emitJsonModules(model, types, texts),
    ...model.endpoints.map((endpoint) => emitEndpoint(endpoint, commands.get(endpoint.command)!, types).emitted()),
    emitOpenapi(model, types, texts).emitted(),
    ...emitGraphQL(model, types).map((file) => file.emitted()),
    emitRegistry(model, types).emitted(),
  ];
  return new Map(files.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export { emitClient, emitDocuments } from './client/index.js';
export { TextCache } from './text-cache.js';
export { endpointModule, kebabCase } from './names.js';
export { header } from './source-file.js';
