import type { Uuid } from '../../json/index.js';
import type { ClaimedCommands, ScheduleStanding, ScheduleStorage } from '../capabilities/schedule.js';
import { MessageSettledError } from '../message-settled-error.js';
import {
  scheduleKeyText,
  tenantOfCommand,
  type ScheduleChanges,
  type ScheduledCommand,
  type ScheduledRecord,
} from '../scheduled-record.js';

/** A scheduled command, and the claim of a host. */
interface Row {
  readonly command: Omit<ScheduledCommand, 'isRunning'>;
  /** From when on a host can claim it. */
  readonly claimableAt: number;
  readonly holder: Uuid | null;
}

/** The scheduled commands in the memory of this process. Its clock is that of the process. */
export class InMemorySchedule implements ScheduleStorage {
  readonly leaseMs = 5_000;
  readonly #rows = new Map<Uuid, Row>();
  readonly #byKey = new Map<string, Uuid>();
  readonly #listeners: (() => void)[] = [];
  /** In the order in which hosts can claim them. */
  readonly #queue: Row[] = [];

  onScheduled(listener: () => void): void {
    this.#listeners.push(listener);
  }

  claim(holder: Uuid, types: readonly string[], limit: number): Promise<ClaimedCommands> {
    const now = Date.now();
    const isWanted = ({ command: { message } }: Row): boolean => types.includes(message.type);
    const due: Row[] = [];
    for (const row of this.#queue) {
      if (due.length === limit || row.claimableAt > now) break;
      if (isWanted(row)) due.push(row);
    }
    for (const row of due) this.#store({ ...row, claimableAt: now + this.leaseMs, holder });
    const commands = due.map(({ command }) => toCommand(this.#rows.get(command.message.id)!));
    const next = this.#queue.find(isWanted);
    return Promise.resolve({
      commands,
      now,
      nextInMs: next === undefined ? null : Math.max(0, next.claimableAt - now),
    });
  }

  renew(holder: Uuid, ids: readonly Uuid[]): Promise<void> {
    for (const row of this.#held(holder, ids)) this.#store({ ...row, claimableAt: Date.now() + this.leaseMs });
    return Promise.resolve();
  }

  retryLater(holder: Uuid, id: Uuid, delayMs: number): Promise<void> {
    const now = Date.now();
    for (const { command } of this.#held(holder, [id])) {
      const failed = { attempts: command.attempts + 1, firstFailedAt: command.firstFailedAt ?? now };
      this.#store({ command: { ...command, ...failed }, claimableAt: now + delayMs, holder: null });
    }
    return Promise.resolve();
  }

  read(limit: number, after?: Uuid): Promise<readonly ScheduledCommand[]> {
    const rows = [...this.#rows.values()].toSorted((a, b) => a.command.dueAt - b.command.dueAt || compareIds(a, b));
    if (after !== undefined && !this.#rows.has(after)) return Promise.resolve([]);
    const from = after === undefined ? 0 : rows.findIndex(({ command }) => command.message.id === after) + 1;
    return Promise.resolve(rows.slice(from, from + limit).map(toCommand));
  }

  readKeys(tenant: string, from: string, to: string): Promise<readonly ScheduledCommand[]> {
    const isWanted = ({ command }: Row): boolean =>
      command.tenant === tenant && command.key !== null && command.key >= from && command.key < to;
    return Promise.resolve([...this.#rows.values()].filter(isWanted).map(toCommand));
  }

  readTypes(): Promise<readonly string[]> {
    return Promise.resolve([...new Set([...this.#rows.values()].map(({ command }) => command.message.type))]);
  }

  find(id: Uuid): Promise<ScheduledCommand | null> {
    const row = this.#rows.get(id);
    return Promise.resolve(row === undefined ? null : toCommand(row));
  }

  makeDue(id: Uuid): Promise<boolean> {
    const row = this.#rows.get(id);
    if (row === undefined) return Promise.resolve(false);
    const now = Date.now();
    if (!isRunning(row)) {
      const dueAt = Math.min(row.command.dueAt, now);
      this.#store({ command: { ...row.command, dueAt }, claimableAt: now, holder: null });
      for (const listener of this.#listeners) listener();
    }
    return Promise.resolve(true);
  }

  cancel(id: Uuid): Promise<boolean> {
    return Promise.resolve(this.#remove(id));
  }

  readStanding(graceMs: number, most: number): Promise<ScheduleStanding> {
    const now = Date.now();
    const late = [...this.#rows.values()].map(({ command }) => now - command.dueAt).filter((ms) => ms > graceMs);
    return Promise.resolve({ overdue: Math.min(late.length, most), lateMs: Math.max(0, ...late) });
  }

  /** Throws if a commit must not be made, before anything is stored. */
  require({ settled }: ScheduleChanges): void {
    if (settled !== null && !this.#rows.has(settled)) throw new MessageSettledError(settled);
  }

  /** The caller must not change the messages afterwards. */
  commit({ settled, cancelled, added }: ScheduleChanges): void {
    if (settled !== null) this.#remove(settled);
    for (const key of cancelled) {
      const id = this.#byKey.get(scheduleKeyText(key));
      if (id !== undefined) this.#remove(id);
    }
    for (const record of added) this.#add(record);
  }

  #add({ message, due, key }: ScheduledRecord): void {
    const dueAt = 'at' in due ? due.at : Date.now() + due.afterMs;
    const tenant = tenantOfCommand(message);
    const command = { message, tenant, key, dueAt, attempts: 0, firstFailedAt: null };
    this.#store({ command, claimableAt: dueAt, holder: null });
    if (key !== null) this.#byKey.set(scheduleKeyText({ tenant, key }), message.id);
  }

  #store(row: Row): void {
    const { id } = row.command.message;
    const before = this.#rows.get(id);
    if (before !== undefined) this.#queue.splice(this.#placeOf(before), 1);
    this.#queue.splice(this.#placeOf(row), 0, row);
    this.#rows.set(id, row);
  }

  /** The index of a row in the queue, or where it belongs. */
  #placeOf(row: Row): number {
    let [from, to] = [0, this.#queue.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (byClaimTime(this.#queue[middle]!, row) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #remove(id: Uuid): boolean {
    const row = this.#rows.get(id);
    if (row === undefined) return false;
    const { tenant, key } = row.command;
    if (key !== null) this.#byKey.delete(scheduleKeyText({ tenant, key }));
    this.#queue.splice(this.#placeOf(row), 1);
    return this.#rows.delete(id);
  }

  #held(holder: Uuid, ids: readonly Uuid[]): Row[] {
    return ids.flatMap((id) => this.#rows.get(id) ?? []).filter((row) => row.holder === holder);
  }
}

function byClaimTime(a: Row, b: Row): number {
  return a.claimableAt - b.claimableAt || compareIds(a, b);
}

function compareIds(a: Row, b: Row): number {
  const [first, second] = [a.command.message.id, b.command.message.id];
  return first === second ? 0 : first < second ? -1 : 1;
}

function toCommand(row: Row): ScheduledCommand {
  return { ...row.command, isRunning: isRunning(row) };
}

function isRunning({ holder, claimableAt }: Row): boolean {
  return holder !== null && claimableAt > Date.now();
}
