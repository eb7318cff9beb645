/**
 * Personal data in messages from other hosts. Only svc encrypts values, and only where a class declares them: any other message could have a value
 * decrypted where its reader may see it, or make the log unreadable (decision 0103).
 */
import { hasPersonal, parseJson, personalValuesIn, readOrThrow } from '../json/index.js';
import { sealedInput, type MessageRegistry } from '../messages/index.js';
import type { OwnValue, PersonalCipher } from './personal-cipher.js';

/** The part of a received message that can have personal data. */
export interface ReceivedContent {
  readonly type: string;
  readonly body: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Checks what other hosts send, and prepares it to be stored or run. */
export class ReceivedPersonal {
  readonly #messages: MessageRegistry;
  readonly #cipher: PersonalCipher;

  constructor(messages: MessageRegistry, cipher: PersonalCipher) {
    this.#messages = messages;
    this.#cipher = cipher;
  }

  /**
   * An event as it is stored. Values of its subjects that it has as plain text are delimited, so that they are encrypted; it then has the properties that this
   * host knows. Throws if an encrypted value is where it does not belong, or if the event is unreadable once its values are decrypted.
   */
  async event<T extends ReceivedContent>(received: T): Promise<T> {
    const { type, body, metadata } = received;
    const own = await this.#ownValuesIn(type, body);
    if (own.length === 0 && !this.#isPersonal(type)) return received;
    const opened = own.length === 0 ? body : await this.#cipher.decryptText(body);
    const message = this.#messages.readStoredMessage(type, parseJson(opened), metadata);
    const text = this.#messages.of(message).write(message);
    requirePlaces(type, own, text);
    if (!hasPersonal(text) || personalValuesIn(text).length === own.length) return received;
    return { ...received, body: text, metadata: this.#messages.withVersion(type, metadata) };
  }

  /** The body of a command, with decrypted values. Throws if an encrypted value is where it does not belong. */
  async command(type: string, body: string): Promise<string> {
    const own = await this.#ownValuesIn(type, body);
    if (own.length === 0) return body;
    const opened = await this.#cipher.decryptText(body);
    const { read, write } = this.#messages.ofType(type);
    requirePlaces(type, own, write(readOrThrow(read, parseJson(opened))));
    return opened;
  }

  #isPersonal(type: string): boolean {
    return this.#messages.ofType(type).hasPersonal === true;
  }

  /** A JSON text without the prefix and without a backslash has no encrypted value. */
  async #ownValuesIn(type: string, body: string): Promise<readonly OwnValue[]> {
    if (!this.#cipher.isEncrypted(body) && !body.includes('\\')) return [];
    const own = await this.#cipher.ownValuesIn(body);
    if (own === null) throw sealedInput(type);
    return own;
  }
}

/** Each encrypted value must be a personal value of its own subject. `text`: the message with delimited values. */
function requirePlaces(type: string, own: readonly OwnValue[], text: string): void {
  if (own.length === 0) return;
  const values = personalValuesIn(text).map(({ subject, value }) => keyOf(subject, value));
  for (const { subject, text: value } of own) {
    const at = value === null ? -1 : values.indexOf(keyOf(subject, value));
    if (at === -1) throw sealedInput(type);
    values.splice(at, 1);
  }
}

/** Another version may have written the value with other spaces, or another order of properties. */
function keyOf(subject: string, value: string): string {
  return JSON.stringify([subject, sorted(JSON.parse(value))]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).toSorted();
  return names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]);
}
