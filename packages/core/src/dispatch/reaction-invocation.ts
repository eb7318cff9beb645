import type { Uuid } from '../json/index.js';
import type { Event, MessageEnvelope } from '../messages/index.js';
import type { ProcessStep, ReactedEvent } from '../storage/index.js';
import type { Cancellation } from './cancellation.js';
import { Invocation, type InvocationHost } from './invocation.js';
import type { Reaction, ReactionContext } from './reaction.js';
import type { CommandTurn } from './stream-queue.js';
import type { UnitOfWork } from './unit-of-work.js';

/** One run of a reaction. */
export interface ReactionRun {
  readonly name: string;
  readonly start: StartReaction;
  /** The event, with the scope in which the reaction acts. */
  readonly envelope: MessageEnvelope;
  /** Computes the key, which most reactions do not use. */
  readonly key: () => Uuid;
  readonly attempt: number;
  readonly cancellation: Cancellation;
  /** Committed with the changes of the reaction, so that they are committed once. */
  readonly reacted: ReactedEvent;
}

/** Runs a reaction, and commits its changes. */
export type RunReaction = (run: ReactionRun) => Promise<void>;

/** What a run of a reaction receives from its dispatcher. */
export interface ReactionRunParts {
  readonly unitOfWork: UnitOfWork;
  readonly host: InvocationHost;
  readonly turn: CommandTurn;
  /** What is committed with the changes. A process adds what it has done. */
  readonly along: { readonly reacted: ReactedEvent; step?: ProcessStep };
}

/** Runs the code of a reaction. Its changes are in the unit of work, which the dispatcher commits together with the step of a process. */
export type StartReaction = (run: ReactionRun, parts: ReactionRunParts) => void | Promise<void>;

export function startReaction(reaction: Reaction<Event>): StartReaction {
  return (run, parts) => reaction.react(run.envelope.payload, new ReactionInvocation(run, parts));
}

/** One run of a reaction: its context. */
export class ReactionInvocation extends Invocation implements ReactionContext {
  readonly #keyOf: () => Uuid;
  #key: Uuid | undefined;

  constructor(run: ReactionRun, { unitOfWork, host, turn }: ReactionRunParts) {
    const { name, envelope, cancellation, attempt } = run;
    super(envelope, cancellation, unitOfWork, host, { name, resultType: null }, attempt, turn);
    this.#keyOf = run.key;
  }

  get key(): Uuid {
    return (this.#key ??= this.#keyOf());
  }
}
