import type { DeciderModel } from '../model/index.js';
import { hasOwnFunctions, stateName } from './json-emitter.js';
import { jsonModule, readerName, writerName } from './names.js';
import { object } from './registry-parts.js';
import { quoted, type SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';

/** A decider in the registry. */
export function deciderEntry(
  file: SourceFile,
  { name, module, events, state }: DeciderModel,
  types: TypeIndex,
): string {
  const className = file.useFrom(module, name);
  const classes = events.map((event) => file.useFrom(event.module!, event.name));
  return object([
    `name: ${quoted(name)}`,
    `class: ${className}`,
    `events: [${classes.join(', ')}]`,
    ...(state === null ? [] : stateFunctions()),
    ...(state !== null && types.hasPersonal(state) ? ['hasPersonal: true'] : []),
    `create: () => new ${className}()`,
  ]);

  function stateFunctions(): string[] {
    const named = hasOwnFunctions(state!, types) ? types.get(state.id) : { name: stateName(name), module };
    const json = jsonModule(named.module);
    return [
      `readState: ${file.useFrom(json, readerName(named))}`,
      `writeState: ${file.useFrom(json, writerName(named))}`,
    ];
  }
}
