/** Compares the log of the service with its responses. */

/** System events that record a failure of the service itself. */
const failures = new Set(['svc.PerspectiveFailed', 'svc.MessageDeadLettered', 'svc.MigrationItemFailed']);
const mostNamed = 5;

/**
 * Reads the whole log and returns its problems, each as one sentence:
 * - every command that was answered has one audit record, under the name of its caller, and no other command has one;
 * - every event belongs to such a command, has one audit record, and every answered `Svc-Last-Event` is the event of its caller;
 * - the events of a stream are of one tenant.
 */
export async function checkLog(records, ledger) {
  const check = new LogCheck(ledger);
  for await (const record of records) check.take(record);
  return check.findings();
}

class LogCheck {
  #ledger;
  #wrong = new Findings();
  /** By correlation id: the user whose command was audited. */
  #commands = new Map();
  /** By user: how many commands were audited. */
  #audited = new Map();
  /** By event id: events without an audit record so far. */
  #waiting = new Map();
  /** By correlation id: the user of events. */
  #changed = new Map();
  #tenants = new Map();
  #announced;
  #events = 0;

  constructor(ledger) {
    this.#ledger = ledger;
    this.#announced = new Map(ledger.events);
  }

  take(record) {
    if (record.type === 'svc.CommandAudited') this.#takeCommand(record);
    else if (record.type === 'svc.EventAudited') this.#takeAudit(record);
    else if (failures.has(record.type))
      this.#wrong.add('the service recorded an internal failure', `${record.type} ${record.body}`);
    else if (!record.type.startsWith('svc.')) this.#takeEvent(record);
  }

  findings() {
    for (const { type } of this.#waiting.values()) this.#wrong.add('an event has no audit record', type);
    for (const [correlationId, userId] of this.#changed) {
      if (this.#commands.get(correlationId) !== userId) {
        this.#wrong.add('events belong to no audited command of the same user', `${correlationId} of ${userId}`);
      }
    }
    for (const [id, { number, userId }] of this.#announced) {
      this.#wrong.add('the event that an answer named is not in the log', `${id}, request ${number} of ${userId}`);
    }
    this.#compareCounts();
    return { wrong: this.#wrong.list, commands: this.#commands.size, events: this.#events };
  }

  /** A command that another command invoked is part of that one: its cause is not itself. */
  #takeCommand({ correlationId, causationId, scope, body }) {
    if (causationId !== correlationId) return;
    if (this.#commands.has(correlationId)) this.#wrong.add('a command is audited twice', body);
    const { userId } = scope;
    this.#commands.set(correlationId, userId);
    this.#audited.set(userId, (this.#audited.get(userId) ?? 0) + 1);
  }

  /** The cause of an audit record is the audited event. */
  #takeAudit({ causationId, body }) {
    if (!this.#waiting.delete(causationId)) this.#wrong.add('an event is audited twice, or does not exist', body);
  }

  #takeEvent({ id, type, streamId, correlationId, scope }) {
    this.#events++;
    const { userId, tenantId } = scope;
    this.#waiting.set(id, { type });
    this.#changed.set(correlationId, userId);
    const tenant = this.#tenants.get(streamId);
    if (tenant === undefined) this.#tenants.set(streamId, tenantId);
    else if (tenant !== tenantId)
      this.#wrong.add('a stream has events of two tenants', `${streamId}: ${tenant}, ${tenantId}`);
    const announced = this.#announced.get(id);
    if (announced === undefined) return;
    this.#announced.delete(id);
    if (announced.userId !== userId) {
      this.#wrong.add('an answer named the event of another user', `${id} of ${userId}, request ${announced.number}`);
    }
  }

  #compareCounts() {
    const users = new Set([...this.#ledger.callers.keys(), ...this.#audited.keys()]);
    for (const userId of users) {
      const { commands = 0, isCertain = true } = this.#ledger.callers.get(userId) ?? {};
      const audited = this.#audited.get(userId) ?? 0;
      if (isCertain ? audited !== commands : audited < commands) {
        this.#wrong.add(
          'the log does not have the commands that were answered',
          `${userId}: ${commands} answered, ${audited} audited`,
        );
      }
    }
  }
}

/** Combines findings of one kind into one sentence with a few examples. */
class Findings {
  #byKind = new Map();

  add(kind, example) {
    const found = this.#byKind.get(kind) ?? { count: 0, examples: [] };
    found.count++;
    if (found.examples.length < mostNamed) found.examples.push(example.slice(0, 500));
    this.#byKind.set(kind, found);
  }

  get list() {
    return [...this.#byKind].map(([kind, { count, examples }]) => `${kind} (${count}): ${examples.join('; ')}`);
  }
}
