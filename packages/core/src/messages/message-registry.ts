import { ServiceError } from '../errors/index.js';
import type { Reader, Writer } from '../json/index.js';
import type { MessageClass } from './markers.js';

export type MessageKind = 'command' | 'event' | 'systemEvent';

/** What the generator knows of one message class. */
// oxlint-disable-next-line typescript/no-explicit-any -- descriptors of all messages stand in one list
export interface MessageDescriptor<T extends object = any> {
  /** The stable name it is stored and sent under: `orders.CreateOrder`. */
  readonly type: string;
  readonly kind: MessageKind;
  readonly class: MessageClass<T>;
  readonly read: Reader<T>;
  readonly write: Writer<T>;
}

/** Finds a message's description by its class or by its type name. */
export class MessageRegistry {
  readonly #byClass = new Map<unknown, MessageDescriptor>();
  readonly #byType = new Map<string, MessageDescriptor>();

  constructor(descriptors: readonly MessageDescriptor[]) {
    for (const descriptor of descriptors) {
      const known = this.#byType.get(descriptor.type) ?? this.#byClass.get(descriptor.class);
      if (known !== undefined) {
        throw new ServiceError(
          'SVC_DUPLICATE_MESSAGE',
          `${descriptor.class.name} (${descriptor.type}) and ${known.class.name} (${known.type}) cannot both be registered: type names and classes are unique.`,
        );
      }
      this.#byClass.set(descriptor.class, descriptor);
      this.#byType.set(descriptor.type, descriptor);
    }
  }

  get all(): Iterable<MessageDescriptor> {
    return this.#byType.values();
  }

  /** The description of a message's class; an unregistered one is an error. */
  of(message: object): MessageDescriptor {
    const descriptor = this.#byClass.get(message.constructor);
    if (descriptor === undefined) throw unknownMessage(message.constructor?.name ?? 'A plain object');
    return descriptor;
  }

  find(messageClass: MessageClass): MessageDescriptor | undefined {
    return this.#byClass.get(messageClass);
  }

  ofClass(messageClass: MessageClass): MessageDescriptor {
    const descriptor = this.#byClass.get(messageClass);
    if (descriptor === undefined) throw unknownMessage(messageClass.name);
    return descriptor;
  }

  findType(type: string): MessageDescriptor | undefined {
    return this.#byType.get(type);
  }

  ofType(type: string): MessageDescriptor {
    const descriptor = this.#byType.get(type);
    if (descriptor === undefined) throw unknownMessage(type);
    return descriptor;
  }
}

function unknownMessage(name: string): ServiceError {
  return new ServiceError(
    'SVC_UNKNOWN_MESSAGE',
    `${name} is not a registered message. Let the class implement Command or Event and run svc generate.`,
  );
}
