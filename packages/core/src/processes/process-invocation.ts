import type { LoadedStream } from '../deciders/index.js';
import {
  dueTimeOf,
  ReactionInvocation,
  type ReactionRun,
  type ReactionRunParts,
  type ScheduleOptions,
  type ScheduleTime,
  type SendOptions,
  type StartReaction,
} from '../dispatch/index.js';
import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { messageOf, type Command, type Event, type ResultOf } from '../messages/index.js';
import { runAsHost } from '../security/index.js';
import { tenantOfCommand, type AppendOptions, type DueTime, type ProcessStep } from '../storage/index.js';
import { ProcessAdvanced, ProcessCompleted, ProcessEventIgnored, type ProcessAction } from './process-events.js';
import { ProcessInstance, timeoutsAfter, type InstanceHistory } from './process-instance.js';
import { instanceKeyOf, instanceStreamId, timeoutKey } from './process-keys.js';
import type { AnyProcess, ProcessContext } from './process.js';

/** How many events are read at the same time. */
const readAtOnce = 16;

/** Runs a process as a reaction to its events. */
export function startProcess(process: AnyProcess): StartReaction {
  return async (run, parts) => {
    const key = instanceKeyOf(run.name, process.keyOf(run.envelope.payload));
    if (key !== null) parts.along.step = await new ProcessInvocation(process, key, run, parts).run();
  };
}

/** One run of a process: its context. */
class ProcessInvocation extends ReactionInvocation implements ProcessContext<unknown> {
  readonly processKey: string;
  readonly #process: AnyProcess;
  readonly #name: string;
  readonly #streamId: Uuid;
  readonly #actions: ProcessAction[] = [];
  #state: unknown;
  #isNew = false;
  #isCompleted = false;

  constructor(process: AnyProcess, key: string, run: ReactionRun, parts: ReactionRunParts) {
    super(run, parts);
    this.processKey = key;
    this.#process = process;
    this.#name = run.name;
    this.#streamId = instanceStreamId(run.name, tenantOfCommand(run.envelope), key);
  }

  get state(): unknown {
    return this.#state;
  }

  get isNew(): boolean {
    return this.#isNew;
  }

  /** Returns what is committed along with its changes. */
  async run(): Promise<ProcessStep> {
    const { id: eventId, type: eventType, payload } = this.envelope;
    const instance = await this.load(ProcessInstance, this.#streamId);
    const history = instance.state;
    const named = { process: this.#name, key: this.processKey };
    const step = { ...named, streamId: this.#streamId, tenant: tenantOfCommand(this.envelope), at: Date.now() };
    if (history.isCompleted) {
      instance.append(messageOf(ProcessEventIgnored, { ...named, eventId, eventType }));
      return { ...step, isIgnored: true, completes: false };
    }
    this.#isNew = history.eventIds.length === 0;
    this.#state = this.#process.evolve(await this.#stateOf(history), payload) as unknown;
    await this.#process.react(payload, this);
    // A copy: `append` is an action too.
    const actions = [...this.#actions];
    instance.append(messageOf(ProcessAdvanced, { ...named, eventId, eventType, actions }));
    if (this.#isCompleted) this.#end(instance, timeoutsAfter(history.timeouts, actions));
    return { ...step, isIgnored: false, completes: this.#isCompleted };
  }

  override append(streamId: Uuid, event: Event, options?: AppendOptions): void {
    super.append(streamId, event, options);
    this.#actions.push({ kind: 'appended', type: this.#typeOf(event), streamId });
  }

  override async invoke<TCommand extends Command>(command: TCommand): Promise<ResultOf<TCommand>> {
    const result = await super.invoke(command);
    this.#actions.push({ kind: 'invoked', type: this.#typeOf(command) });
    return result;
  }

  override send(command: Command, options: SendOptions = {}): void {
    super.send(command, options);
    this.#actions.push({ kind: 'sent', type: this.#typeOf(command) });
  }

  override schedule(command: Command, options: ScheduleOptions): void {
    super.schedule(command, options);
    this.#actions.push({ kind: 'scheduled', type: this.#typeOf(command), ...dueOf(dueTimeOf(options)) });
  }

  timeout(name: string, command: Command, time: ScheduleTime): void {
    const key = timeoutKey(this.#streamId, name);
    const record = this.host.scheduledCommand(command, time, this.envelope);
    this.unitOfWork.schedule({ ...record, key });
    this.#actions.push({ kind: 'timeoutSet', name, type: record.message.type, ...dueOf(record.due) });
  }

  cancelTimeout(name: string): void {
    this.#cancel(name);
    this.#actions.push({ kind: 'timeoutCancelled', name });
  }

  complete(): void {
    this.#isCompleted = true;
  }

  #end(instance: LoadedStream<InstanceHistory, Event>, timeouts: ReadonlySet<string>): void {
    for (const name of timeouts) this.#cancel(name);
    instance.append(messageOf(ProcessCompleted, { process: this.#name, key: this.processKey }));
  }

  #cancel(name: string): void {
    const key = timeoutKey(this.#streamId, name);
    this.unitOfWork.cancelScheduled({ tenant: tenantOfCommand(this.envelope), key });
  }

  /** The state before the current event. */
  async #stateOf({ eventIds }: InstanceHistory): Promise<unknown> {
    let state: unknown = this.#process.initial();
    for (let i = 0; i < eventIds.length; i += readAtOnce) {
      const events = await Promise.all(eventIds.slice(i, i + readAtOnce).map((id) => this.#eventOf(id)));
      for (const event of events) state = this.#process.evolve(state, event);
    }
    return state;
  }

  /** An event that the instance has processed. The host reads it: a process may see system events without a permission. */
  async #eventOf(eventId: Uuid): Promise<Event> {
    const found = await runAsHost(() => this.unitOfWork.findEvent(eventId));
    if (found !== null) return found.envelope.payload;
    throw new ServiceError(
      'SVC_UNKNOWN_EVENT',
      `Cannot compute the state of the process ${this.#name}: the event ${eventId} of its instance "${this.processKey}" no longer exists. Restore the event.`,
    );
  }

  #typeOf(message: object): string {
    return this.host.messages.of(message).type;
  }
}

function dueOf(due: DueTime): Pick<ProcessAction, 'dueAt' | 'dueAfterMs'> {
  return 'at' in due ? { dueAt: new Date(due.at) } : { dueAfterMs: due.afterMs };
}
