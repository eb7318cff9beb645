import { ServiceError } from '../errors/index.js';
import { ClassNotes } from './class-notes.js';
import type { MessageClass } from './markers.js';

/** The prefix of tags that are reserved for svc. */
export const systemTagPrefix = 'sys-';

const tags = new ClassNotes<readonly string[]>();

/** Adds tags to a message class, so that tag hooks run for its messages: `@tagged('billing')`. The prefix `sys-` is reserved. */
export function tagged(...names: string[]): (target: MessageClass, context?: ClassDecoratorContext) => void {
  const reserved = names.find((name) => name.startsWith(systemTagPrefix));
  if (reserved !== undefined) {
    throw new ServiceError(
      'SVC_RESERVED_TAG',
      `The tag "${reserved}" is not allowed: the prefix "${systemTagPrefix}" is reserved for svc. Rename the tag.`,
    );
  }
  return systemTagged(...names);
}

/** Adds tags to a message class of svc, with any prefix. */
export function systemTagged(...names: string[]): (target: MessageClass, context?: ClassDecoratorContext) => void {
  return (target, context) => {
    tags.add(target, names, context);
  };
}

/** The tags of a message class. */
export function tagsOf(type: MessageClass): readonly string[] {
  return tags.of(type) ?? [];
}
