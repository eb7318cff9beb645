import type { ColumnModel, PerspectiveEvent, PerspectiveModel } from '../model/index.js';
import { hasOwnFunctions, modelName } from './json-emitter.js';
import { jsonModule, readerName, writerName } from './names.js';
import { creation, object, type Services } from './registry-parts.js';
import { quoted, type SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';

/** A perspective in the registry. */
export function perspectiveEntry(
  file: SourceFile,
  { name, module, model, events, columns, parameters }: PerspectiveModel,
  types: TypeIndex,
  services: Services,
): string {
  const className = file.useFrom(module, name);
  const named = hasOwnFunctions(model, types) ? types.get(model.id) : { name: modelName(name), module };
  const json = jsonModule(named.module);
  return object([
    `name: ${quoted(name)}`,
    `class: ${className}`,
    `events: [${classesOf(events, file).join(', ')}]`,
    ...(columns.length === 0 ? [] : [`columns: [${columns.map(columnText).join(', ')}]`]),
    `readModel: ${file.useFrom(json, readerName(named))}`,
    `writeModel: ${file.useFrom(json, writerName(named))}`,
    ...(types.hasPersonal(model) ? ['hasPersonal: true'] : []),
    `create: ${creation(className, parameters, services)}`,
  ]);
}

/** The classes of events. */
export function classesOf(events: readonly PerspectiveEvent[], file: SourceFile): string[] {
  return events.map(({ name, module }) => (module === null ? file.use('@svc/core', name) : file.useFrom(module, name)));
}

function columnText({ name, type }: ColumnModel): string {
  return `{ name: ${quoted(name)}, type: ${quoted(type)} }`;
}
