import { ServiceError, ValidationError } from '../errors/index.js';
import { readOrThrow, type Reader, type Writer } from '../json/index.js';
import { eventVersionOf, schemaVersionKey, upcast, type EventVersion } from './event-version.js';
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

type Metadata = Readonly<Record<string, unknown>>;

/** Finds a message's description by its class or by its type name. */
export class MessageRegistry {
  readonly #byClass = new Map<unknown, MessageDescriptor>();
  readonly #byType = new Map<string, MessageDescriptor>();
  readonly #versions = new Map<string, EventVersion>();

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
      const version = eventVersionOf(descriptor.class);
      if (version !== undefined) this.#versions.set(descriptor.type, version);
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

  /** Metadata that say which version of its type an event is kept as: those that are given, unless it is a later one than 1. */
  withVersion(type: string, metadata: Metadata): Metadata {
    const known = this.#versions.size === 0 ? undefined : this.#versions.get(type);
    return known === undefined ? metadata : { ...metadata, [schemaVersionKey]: known.version };
  }

  /** Reads a parsed body of whichever version its metadata say; throws when it is not one that this program knows, or not valid. */
  readKept(type: string, body: unknown, metadata: Metadata): object {
    const { read } = this.ofType(type);
    const stored = metadata[schemaVersionKey];
    const known = this.#versions.get(type);
    const isCurrent = stored === undefined && known === undefined;
    const current = isCurrent ? body : upcast(type, body, stored === undefined ? 1 : stored, known);
    try {
      return readOrThrow(read, current, { isStored: true }) as object;
    } catch (error) {
      throw unreadableEvent(type, error);
    }
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

/** Has a code of its own: what was kept before is not the fault of whoever sends the command that reads it. */
function unreadableEvent(type: string, cause: unknown): ServiceError {
  const why = cause instanceof ValidationError ? ` ${cause.message}` : '';
  return new ServiceError(
    'SVC_UNREADABLE_EVENT',
    `An event of type ${type} cannot be read.${why} Let the class take whatever was kept, or give it an eventVersion with upcasters.`,
    { cause },
  );
}

function unknownMessage(name: string): ServiceError {
  return new ServiceError(
    'SVC_UNKNOWN_MESSAGE',
    `${name} is not a registered message. Let the class implement Command or Event and run svc generate.`,
  );
}
