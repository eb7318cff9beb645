import { CommandRejectedError, isRecurringKey, NotFoundError } from '../dispatch/index.js';
import type { Uuid } from '../json/index.js';
import { OperatorActionKind } from '../operations/index.js';
import type { ScheduledCommand, ScheduleStorage } from '../storage/index.js';
import type { AdministrationParts } from './administration-parts.js';
import { authorizeOperatorRead, authorizeOperatorWrite } from './authorize-operator.js';
import { limitOf, listed, type Listed, type Page } from './page.js';
import { recordedChange } from './recorded-change.js';

const pageSize = 500;

/** Which scheduled commands to list. */
export interface SchedulePage extends Page {
  /** '' for none. Default: those of all tenants. */
  readonly tenant?: string;
}

/** The scheduled commands of a database, for operators. */
export class ScheduleAdministration {
  readonly #parts: AdministrationParts;

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  /** A page of the scheduled commands, in the order of their due times. */
  async list(page: SchedulePage = {}): Promise<Listed<ScheduledCommand>> {
    await authorizeOperatorRead(this.#parts.access);
    const { schedule } = await this.#parts.storageOf();
    return schedule === undefined ? { items: [], next: null } : await readSchedule(schedule, page, limitOf(page));
  }

  /** Removes a scheduled command. Resolves with the command as it was. */
  async cancel(id: Uuid, reason: string): Promise<ScheduledCommand> {
    return await this.#change(id, reason, OperatorActionKind.CancelScheduled, (schedule, command) => {
      requireCancellable(command);
      return () => schedule.cancel(id);
    });
  }

  /** Makes a scheduled command due. */
  async run(id: Uuid, reason: string): Promise<ScheduledCommand> {
    return await this.#change(id, reason, OperatorActionKind.RunScheduled, (schedule) => () => schedule.makeDue(id));
  }

  async #change(
    id: Uuid,
    reason: string,
    kind: OperatorActionKind,
    prepare: (schedule: ScheduleStorage, command: ScheduledCommand) => () => Promise<boolean>,
  ): Promise<ScheduledCommand> {
    const operator = await authorizeOperatorWrite(this.#parts.access);
    const { schedule } = await this.#parts.storageOf();
    const command = (await schedule?.find(id)) ?? null;
    if (schedule === undefined || command === null) throw gone(id);
    const work = prepare(schedule, command);
    const action = { kind, target: command.message.type, arguments: { command: id } };
    const isDone = await recordedChange(this.#parts, { operator, reason }, action, work);
    if (!isDone) throw gone(id);
    return command;
  }
}

/** A page of the scheduled commands of a storage, in the order of their due times. */
export async function readSchedule(
  schedule: ScheduleStorage,
  { tenant, after }: SchedulePage,
  limit: number,
): Promise<Listed<ScheduledCommand>> {
  const found: ScheduledCommand[] = [];
  for (let last = after; found.length <= limit;) {
    const page: readonly ScheduledCommand[] = await schedule.read(pageSize, last);
    found.push(...page.filter((command) => tenant === undefined || command.tenant === tenant));
    if (page.length < pageSize) break;
    last = page.at(-1)!.message.id;
  }
  return listed(found, limit, ({ message }) => message.id);
}

/** Throws for a recurring command: the service would schedule it again. */
export function requireCancellable({ key, message }: ScheduledCommand): void {
  if (!isRecurringKey(key)) return;
  throw new CommandRejectedError(
    `${message.type} recurs, so it cannot be cancelled. Remove @recurring from its class.`,
  );
}

function gone(id: Uuid): NotFoundError {
  return new NotFoundError(`There is no scheduled command ${id}. It may have run or been cancelled.`);
}
