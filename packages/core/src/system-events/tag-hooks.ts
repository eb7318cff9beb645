import { hideSecrets } from '../errors/index.js';
import { withoutMarks, type Uuid } from '../json/index.js';
import { tagsOf, type EnvelopeScope, type MessageRegistry } from '../messages/index.js';
import type { CommitRecord, EventLog, PendingRecord } from '../storage/index.js';
import { CommittedPositions } from './committed-positions.js';
import { isSystemMessage } from './system-messages.js';
import { auditTag } from './system-tags.js';

/** A committed message whose type has a tag, as hooks receive it. */
export interface TaggedMessage {
  readonly tag: string;
  readonly id: Uuid;
  readonly type: string;
  readonly streamId: Uuid;
  /** Its position in its stream. */
  readonly position: number;
  readonly timestamp: Date;
  readonly correlationId: Uuid;
  readonly causationId: Uuid | null;
  readonly scope: EnvelopeScope | null;
  /** Its fields as JSON, without the unbounded bodies of audit records: read those with `eventStore.findEvent(id)`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A function that svc calls after the commit for each message with a tag. */
export type TagHook = (message: TaggedMessage) => void | Promise<void>;

/** Runs hooks for committed messages, one after another in commit order. An error of a hook is reported and stops nothing. */
export class TagHooks {
  readonly #log: Pick<EventLog, 'positionOf'>;
  readonly #messages: MessageRegistry;
  readonly #hooks: ReadonlyMap<string, readonly TagHook[]>;
  readonly #report: (error: unknown) => void;
  #work: Promise<void> = Promise.resolve();

  constructor(
    log: Pick<EventLog, 'positionOf'>,
    messages: MessageRegistry,
    hooks: ReadonlyMap<string, readonly TagHook[]>,
    report: (error: unknown) => void,
  ) {
    this.#log = log;
    this.#messages = messages;
    this.#hooks = hooks;
    this.#report = report;
  }

  /** Whether a hook is registered for a type of event in the system stream, including those of the application. */
  get watchesSystemStream(): boolean {
    const tags = [...this.#messages.all].filter(isSystemMessage).flatMap((message) => tagsOf(message.class));
    return tags.some((tag) => this.#hooks.has(tag));
  }

  committed({ events }: CommitRecord): void {
    const positions = new CommittedPositions(this.#log);
    for (const event of events) {
      const position = positions.next(event);
      // A host of another version may have queued it: a type without a class here has no tags.
      const known = this.#messages.findType(event.type);
      if (known === undefined) continue;
      for (const tag of tagsOf(known.class)) {
        const hooks = this.#hooks.get(tag);
        if (hooks !== undefined) this.#work = this.#work.then(() => this.#run(hooks, tag, event, position));
      }
    }
  }

  idle(): Promise<void> {
    return this.#work;
  }

  async #run(
    hooks: readonly TagHook[],
    tag: string,
    event: PendingRecord,
    position: () => Promise<number>,
  ): Promise<void> {
    for (const hook of hooks) {
      try {
        await hook(toTagged(tag, event, await position()));
      } catch (error) {
        this.#report(hideSecrets(error, personalTextsOf(event, this.#messages)));
      }
    }
  }
}

/** The personal texts of an event: a hook can quote them in its error, which is logged. */
function personalTextsOf({ type, body, metadata }: PendingRecord, messages: MessageRegistry): readonly string[] {
  if (messages.findType(type)?.hasPersonal !== true) return [];
  try {
    return messages.secretsOf(messages.readStoredMessage(type, JSON.parse(withoutMarks(body)), metadata));
  } catch {
    return [];
  }
}

function toTagged(tag: string, event: PendingRecord, position: number): TaggedMessage {
  const { id, type, streamId, body, timestamp, correlationId, causationId, scope } = event;
  const fields = JSON.parse(withoutMarks(body)) as Record<string, unknown>;
  if (tag === auditTag) for (const name of unboundedBodies) delete fields[name];
  const when = new Date(timestamp);
  return { tag, id, type, streamId, position, timestamp: when, correlationId, causationId, scope, fields };
}

const unboundedBodies = ['originalBody', 'commandBody'];
