import { hideSecrets, ServiceError, ValidationError } from '../errors/index.js';
import {
  flat,
  hasPersonal as isMarked,
  hiddenSecret,
  parseJson,
  personalTextsIn,
  readOrThrow,
  encryptedPrefix,
  secretsIn,
  textsIn,
  withoutDelimiters,
  writeString,
  type Reader,
  type Writer,
} from '../json/index.js';
import { eventVersionOf, schemaVersionKey, upcast, type EventVersion } from './event-version.js';
import type { MessageClass } from './markers.js';
import { storedTypeOf } from './stored-as.js';

/** Whether a message is a command, a domain event or a system event. */
export type MessageKind = 'command' | 'event' | 'systemEvent';

/** The generated description of a message class: its type name, kind, reader and writer. */
// oxlint-disable-next-line typescript/no-explicit-any -- one list contains the descriptors of all messages
export interface MessageDescriptor<T extends object = any> {
  /** The stable name in storage and transport: `orders.CreateOrder`. */
  readonly type: string;
  readonly kind: MessageKind;
  readonly class: MessageClass<T>;
  readonly read: Reader<T>;
  /** Writes a replacement for each secret. */
  readonly write: Writer<T>;
  /** Whether it can contain a `Secret`: it cannot be stored, because it is not written completely. Absent: no. */
  readonly hasSecrets?: true;
  /** Whether it can contain `Personal` data. Absent: no. */
  readonly hasPersonal?: true;
}

type Metadata = Readonly<Record<string, unknown>>;

/** Finds the descriptor of a message by its class or by its type name. */
export class MessageRegistry {
  readonly #byClass = new Map<unknown, MessageDescriptor>();
  readonly #byType = new Map<string, MessageDescriptor>();
  readonly #versions = new Map<string, EventVersion>();
  /** Whether a message can contain personal data. */
  readonly hasPersonal: boolean;

  constructor(descriptors: readonly MessageDescriptor[]) {
    this.hasPersonal = descriptors.some((descriptor) => descriptor.hasPersonal === true);
    for (const descriptor of descriptors) {
      requireStoredType(descriptor);
      const known = this.#byType.get(descriptor.type) ?? this.#byClass.get(descriptor.class);
      if (known !== undefined) {
        throw new ServiceError(
          'SVC_DUPLICATE_MESSAGE',
          `Cannot register both ${descriptor.class.name} (${descriptor.type}) and ${known.class.name} (${known.type}): type names and classes must be unique. Rename one of them.`,
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

  /** The descriptor of a message. Throws if its class is not registered. */
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

  /** Adds the version of an event's type to its metadata; returns them unchanged for version 1. */
  withVersion(type: string, metadata: Metadata): Metadata {
    const known = this.#versions.size === 0 ? undefined : this.#versions.get(type);
    return known === undefined ? metadata : { ...metadata, [schemaVersionKey]: known.version };
  }

  /**
   * Reads a stored body, and upcasts it from the version in its metadata. Throws if the version is unknown or the body is invalid. `passUnknown`: properties that
   * the class does not have are ignored, as for events of this service. In a message of another host, one of them could be personal.
   */
  readStoredMessage(type: string, body: unknown, metadata: Metadata, passUnknown = false): object {
    const { read, hasPersonal } = this.ofType(type);
    const stored = metadata[schemaVersionKey];
    const known = this.#versions.get(type);
    const isCurrent = stored === undefined && known === undefined;
    let current = body;
    try {
      if (!isCurrent) current = upcast(type, body, stored === undefined ? 1 : stored, known);
    } catch (error) {
      // Only the class knows which texts of a body are personal, and this body does not match it.
      throw hasPersonal === true ? hideSecrets(error, textsIn(body)) : error;
    }
    try {
      return readOrThrow(read, current, { isStored: true, passUnknown }) as object;
    } catch (error) {
      throw unreadableEvent(type, error);
    }
  }

  /** Writes a message as it is stored. */
  write(message: object): string {
    const { type, write } = this.of(message);
    const text = flat(write(message));
    // It would be decrypted when it is read, in a property whose readers may not see the value.
    if (this.hasPersonal && text.includes(encryptedPrefix)) throw sealedInput(type);
    return text;
  }

  /** The secrets and personal texts in a message: no error text may contain them. */
  secretsOf(message: object): readonly string[] {
    const { hasSecrets, hasPersonal, write } = this.of(message);
    const personal = hasPersonal === true ? personalTextsIn(message, write) : [];
    return hasSecrets === true ? [...secretsIn(message, write), ...personal] : personal;
  }

  /**
   * The body of a message that becomes a dead letter. If its type has secrets, it is written without them, or nothing of it remains if it does not match its
   * type. Personal data that are plain text are delimited, so that they are encrypted.
   */
  bodyOfLetter(type: string, body: string): string {
    const descriptor = this.#byType.get(type);
    if (descriptor?.hasSecrets === true) return written(descriptor, body) ?? writeString(hiddenSecret);
    if (!this.hasPersonal) return body;
    const text = descriptor?.hasPersonal === true ? written(descriptor, body) : null;
    return text !== null && isMarked(text) ? text : withoutDelimiters(body);
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

/** The body as this host writes it; null: it does not match its type. */
function written({ read, write }: MessageDescriptor, body: string): string | null {
  try {
    return write(readOrThrow(read, parseJson(body)));
  } catch {
    return null;
  }
}

/** Its own code, not `SVC_INVALID_MESSAGE`: an invalid stored event is not an error in the caller's request. */
function unreadableEvent(type: string, cause: unknown): ServiceError {
  const why = cause instanceof ValidationError ? ` ${cause.message}` : '';
  return new ServiceError(
    'SVC_UNREADABLE_EVENT',
    `Cannot read an event of type ${type}.${why} Change the class so that it accepts all stored events, or declare an eventVersion with upcasters.`,
    { cause },
  );
}

export function sealedInput(type: string): ServiceError {
  return new ServiceError(
    'SVC_SEALED_INPUT',
    `${type} cannot be stored: a value has the form of an encrypted personal value. Send the plain value.`,
  );
}

function unknownMessage(name: string): ServiceError {
  return new ServiceError(
    'SVC_UNKNOWN_MESSAGE',
    `${name} is not a registered message. Make the class implement Command or Event, then run "svc generate".`,
  );
}

/** The decorator was added or changed since the code was generated: events would be stored under another type than the application expects. */
function requireStoredType({ type, class: messageClass }: MessageDescriptor): void {
  const wanted = storedTypeOf(messageClass);
  if (wanted === undefined || wanted === type) return;
  throw new ServiceError(
    'SVC_STORED_TYPE_CHANGED',
    `${messageClass.name} is stored as ${wanted}, but the generated code has ${type}. Run "svc generate", and compile again.`,
  );
}
