import { MessageRegistry, type MessageClass, type MessageDescriptor } from '../../messages/index.js';

/** The event of most tests: a note for the model of its stream, or of its key. */
export class Noted {
  note = '';
  key: string | null = 'k';
}

/** An event that no perspective of a test processes. */
export class Other {}

/** Registers events under `test.` and the names of their classes. */
export function registryOf(...classes: readonly MessageClass[]): MessageRegistry {
  return new MessageRegistry(
    classes.map((messageClass): MessageDescriptor => ({
      type: `test.${messageClass.name}`,
      kind: 'event',
      class: messageClass,
      read: (value) => Object.assign(new messageClass(), value),
      write: JSON.stringify,
    })),
  );
}

/** Knows `test.Noted` and `test.Other`. */
export const trialMessages = registryOf(Noted, Other);
