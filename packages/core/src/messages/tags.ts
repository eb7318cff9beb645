import { ServiceError } from '../errors/index.js';
import { ClassNotes } from './class-notes.js';
import type { MessageClass } from './markers.js';

/** Tags of the system itself. */
export const systemTagPrefix = 'sys-';

const tags = new ClassNotes<readonly string[]>();

/** Puts tags on a message class, so that hooks can be registered for it: `@tagged('billing')`. Tags that start with `sys-` are reserved. */
export function tagged(...names: string[]): (target: MessageClass, context?: ClassDecoratorContext) => void {
  const reserved = names.find((name) => name.startsWith(systemTagPrefix));
  if (reserved !== undefined) {
    throw new ServiceError(
      'SVC_RESERVED_TAG',
      `The tag ${reserved} is reserved: tags that start with ${systemTagPrefix} are the system's.`,
    );
  }
  return systemTagged(...names);
}

/** The same for the system's own messages. */
export function systemTagged(...names: string[]): (target: MessageClass, context?: ClassDecoratorContext) => void {
  return (target, context) => {
    tags.add(target, names, context);
  };
}

export function tagsOf(type: MessageClass): readonly string[] {
  return tags.of(type) ?? [];
}
