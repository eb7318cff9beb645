import type { Uuid } from '../json/index.js';
import { tagsOf, type EnvelopeScope, type MessageRegistry } from '../messages/index.js';
import type { CommitRecord, EventLog, PendingRecord } from '../storage/index.js';
import { CommittedPositions } from './committed-positions.js';
import { isSystemMessage } from './system-messages.js';
import { auditTag } from './system-tags.js';

/** A message whose type carries a tag, as hooks get it once it is kept. */
export interface TaggedMessage {
  readonly tag: string;
  readonly id: Uuid;
  readonly type: string;
  readonly streamId: Uuid;
  /** Where it is in its stream. */
  readonly position: number;
  readonly timestamp: Date;
  readonly correlationId: Uuid;
  readonly causationId: Uuid | null;
  readonly scope: EnvelopeScope | null;
  /** Its fields as JSON. Those of audit records are without the bodies, which are unbounded: `eventStore.findEvent(id)` has the stored record. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export type TagHook = (message: TaggedMessage) => void | Promise<void>;

/** Runs hooks for what is kept: after the commit, in its order, one after another. What a hook throws is reported, and breaks nothing. */
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

  /** Whether a hook waits for a type of event that goes to the system stream, also for one of the application's own. */
  get watchesSystemStream(): boolean {
    const tags = [...this.#messages.all].filter(isSystemMessage).flatMap((message) => tagsOf(message.class));
    return tags.some((tag) => this.#hooks.has(tag));
  }

  committed({ events }: CommitRecord): void {
    const positions = new CommittedPositions(this.#log);
    for (const event of events) {
      const position = positions.next(event);
      // Delivered for a host of another version: what has no class here has no tags.
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
        this.#report(error);
      }
    }
  }
}

function toTagged(tag: string, event: PendingRecord, position: number): TaggedMessage {
  const { id, type, streamId, body, timestamp, correlationId, causationId, scope } = event;
  const fields = JSON.parse(body) as Record<string, unknown>;
  if (tag === auditTag) for (const name of unboundedBodies) delete fields[name];
  const when = new Date(timestamp);
  return { tag, id, type, streamId, position, timestamp: when, correlationId, causationId, scope, fields };
}

const unboundedBodies = ['originalBody', 'commandBody'];
