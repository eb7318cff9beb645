import { personalTextsIn, type Writer } from '../json/index.js';
import type { MessageClass, MessageRegistry } from '../messages/index.js';

/** Of more messages, only the values of the last ones are hidden: they must stay in memory until the command has ended. */
const mostSeen = 10_000;

/**
 * What a command or a reaction and their nested commands have read and what has personal data. Receptors quote such values in their errors, which are
 * stored and logged.
 */
export class SeenMessages {
  readonly #messages: Pick<MessageRegistry, 'find' | 'secretsOf'>;
  readonly #seen: (() => readonly string[])[] = [];

  constructor(messages: Pick<MessageRegistry, 'find' | 'secretsOf'>) {
    this.#messages = messages;
  }

  /** Notes an event. */
  note(event: object): void {
    if (this.#messages.find(event.constructor as MessageClass)?.hasPersonal === true)
      this.#add(() => this.#messages.secretsOf(event));
  }

  /** Notes the state of a snapshot. */
  noteState(state: object, write: Writer<object>): void {
    this.#add(() => personalTextsIn(state, write));
  }

  /** The personal texts in everything that was read. Computed only for errors. */
  texts(): readonly string[] {
    return [...new Set(this.#seen.flatMap((textsOf) => textsOf()))];
  }

  #add(textsOf: () => readonly string[]): void {
    if (this.#seen.length >= 2 * mostSeen) this.#seen.splice(0, mostSeen);
    this.#seen.push(textsOf);
  }
}
