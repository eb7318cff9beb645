import { ClassNotes, type Command, type MessageClass } from '../messages/index.js';
import { requireRecurrence, type Recurrence } from './cron.js';

/** Options of `@recurring`. */
export interface RecurringOptions {
  /** A cron expression of five fields (minute, hour, day of month, month, day of week), or of six that start with seconds. */
  readonly cron: string;
  /** The time zone of the expression, such as `Europe/Berlin`. Default: `UTC`. */
  readonly timeZone?: string;
  /**
   * What happens if no host was running when the command was due: it runs once as soon as a host starts, however many times were missed, or it is
   * skipped. Default: `once`.
   */
  readonly missed?: 'once' | 'skip';
}

/** The declaration of a recurring command. */
export interface RecurringDeclaration extends Recurrence {
  readonly missed: 'once' | 'skip';
}

const declarations = new ClassNotes<RecurringDeclaration>();

/**
 * Runs a command repeatedly, without a caller: on one host of each database, as the host. The command must not have required properties.
 *
 * @example
 * ```ts
 * @recurring({ cron: '0 3 * * *', timeZone: 'Europe/Berlin' })
 * export class RemoveExpiredCarts implements Command {}
 * ```
 */
export function recurring(
  options: RecurringOptions,
): (target: MessageClass<Command>, context?: ClassDecoratorContext) => void {
  const { cron, timeZone = 'UTC', missed = 'once' } = options;
  return (target, context) => {
    requireRecurrence({ cron, timeZone }, target.name);
    declarations.add(target, { cron, timeZone, missed }, context);
  };
}

/** The declaration of a command class; undefined: it does not recur. */
export function recurringDeclarationOf(command: MessageClass): RecurringDeclaration | undefined {
  return declarations.of(command);
}
