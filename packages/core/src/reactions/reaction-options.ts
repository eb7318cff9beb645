import type { Reaction } from '../dispatch/index.js';
import { ServiceError } from '../errors/index.js';
import { ClassNotes, type Event, type MessageClass } from '../messages/index.js';
import type { ProcessClass } from '../processes/index.js';
import type { ReactionStart } from '../storage/index.js';

/** How failed reactions are retried. */
export interface ReactionRetry {
  /** How often an event is tried before its stream is parked. Default: 10. */
  readonly attempts?: number;
  /** How long to wait after the first failure, in milliseconds. The time doubles with each failure. Default: 1,000. */
  readonly firstDelayMs?: number;
  /** The longest wait. Default: 300,000. */
  readonly longestDelayMs?: number;
  /** The classes of errors that a retry would not fix: the stream is parked at once. Default: none. */
  readonly except?: readonly (abstract new (...args: never[]) => Error)[];
}

/** Options of a reaction or a process. */
export interface ReactionOptions {
  /**
   * The name under which its progress is stored: 1 to 100 letters, digits, `.`, `_` or `-`. A renamed reaction starts like a new one. Default: the name
   * of its class.
   */
  readonly name?: string;
  /** Where it starts in a log that has events: after the last of them, or before the first. Required if the log has events. */
  readonly from?: ReactionStart;
  /** How failures are retried. */
  readonly retry?: ReactionRetry;
  /** How many streams it processes at the same time. The events of one stream are processed one after another. Default: 16. */
  readonly concurrency?: number;
}

/** The settings of a reaction, with defaults. */
export interface ReactionSettings {
  readonly name: string | null;
  readonly from: ReactionStart | null;
  readonly retry: Required<ReactionRetry>;
  readonly concurrency: number;
}

const declared = new ClassNotes<ReactionSettings>();

/**
 * Declares the name, the starting place and the retries of a reaction. Use it as a decorator, or call it with the class.
 *
 * @example
 * ```ts
 * @reaction({ from: 'now', retry: { attempts: 5 } })
 * export class ChargeOnPlaced implements Reaction<OrderPlaced> {
 * ```
 */
export function reaction(
  options: ReactionOptions,
): (target: MessageClass<Reaction<never>>, context?: ClassDecoratorContext) => void {
  return (target, context) => {
    declared.add(target, settingsOf(options), context);
  };
}

/**
 * Declares the name, the starting place and the retries of a process. Use it as a decorator, or call it with the class.
 *
 * @example
 * ```ts
 * @process({ from: 'now' })
 * export class Checkout implements Process<CheckoutState, OrderPlaced | OrderPaid> {
 * ```
 */
export function process(options: ReactionOptions): (target: ProcessClass, context?: ClassDecoratorContext) => void {
  return (target, context) => {
    declared.add(target, settingsOf(options), context);
  };
}

/** The settings of the class of a reaction or a process; the defaults if it declares none. */
export function reactionSettingsOf(target: MessageClass<Reaction<Event>> | ProcessClass): ReactionSettings {
  return declared.of(target) ?? settingsOf({});
}

/** Checks options and adds the defaults. */
export function settingsOf({ name, from, retry = {}, concurrency = 16 }: ReactionOptions): ReactionSettings {
  const { attempts = 10, firstDelayMs = 1_000, longestDelayMs = 300_000, except = [] } = retry;
  if (name !== undefined && !/^[\w.-]{1,100}$/.test(name)) {
    throw invalid(`The name of a reaction or process must have 1 to 100 letters, digits, ".", "_" or "-".`);
  }
  if (from !== undefined && from !== 'now' && from !== 'beginning') {
    throw invalid(`The option "from" of a reaction or process must be 'now' or 'beginning'.`);
  }
  requireAtLeast('concurrency', concurrency, 1);
  requireAtLeast('retry.attempts', attempts, 1);
  requireAtLeast('retry.firstDelayMs', firstDelayMs, 0);
  requireAtLeast('retry.longestDelayMs', longestDelayMs, 0);
  return {
    name: name ?? null,
    from: from ?? null,
    retry: { attempts, firstDelayMs, longestDelayMs, except },
    concurrency,
  };
}

function requireAtLeast(option: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw invalid(`The option "${option}" of a reaction or process must be a whole number of at least ${least}.`);
}

function invalid(message: string): ServiceError {
  return new ServiceError('SVC_INVALID_VALUE', message);
}
