import type { ReactionModel } from '../model/index.js';
import { classesOf } from './perspective-entry.js';
import { creation, object, type Services } from './registry-parts.js';
import { quoted, type SourceFile } from './source-file.js';

/** A reaction or a process in the registry. */
export function reactionEntry(
  file: SourceFile,
  { name, module, events, parameters }: ReactionModel,
  services: Services,
): string {
  const className = file.useFrom(module, name);
  return object([
    `name: ${quoted(name)}`,
    `class: ${className}`,
    `events: [${classesOf(events, file).join(', ')}]`,
    `create: ${creation(className, parameters, services)}`,
  ]);
}
