import assert from 'node:assert/strict';
import type { Decider } from '../deciders/index.js';
import { withoutMarks, type Uuid } from '../json/index.js';
import {
  rememberIds,
  wrap,
  type Command,
  type EnvelopeScope,
  type Event,
  type MessageDescriptor,
} from '../messages/index.js';
import type { Service, ServiceRegistry } from '../hosting/index.js';
import type { StreamEvent } from '../storage/index.js';
import { deepFrozen, defaultStreamId, firstTime, isGiven, minute, type GivenEvent } from './given-event.js';
import { collect } from './records.js';
import { createTestService } from './test-service.js';
import { atTime } from './virtual-clock.js';

/** An event, or an event with its stream, timestamp and scope. */
type AnyEvent = Event | GivenEvent<Event>;

/** Options of `when`. */
export interface CommandOptions {
  /** The time at which the command runs. Default: a minute after the last given event. */
  readonly at?: Date;
  /** The scope of the caller, such as `{ tenantId: 'acme' }`. Default: none. */
  readonly scope?: EnvelopeScope | null;
}

/**
 * Tests the receptors of a service: `await given(lent).when(returnBook).then(returned)`. The service is the real one, in memory. `services` has the
 * arguments of constructors, by parameter name, as for `createService`. Pass those of the receptors that the test runs.
 */
export function receptorTest<TServices extends object>(
  registry: ServiceRegistry<TServices>,
  services: Partial<NoInfer<TServices>> = {},
): ReceptorTest {
  const tested = withFrozenStates(registry);
  const run = (given: readonly AnyEvent[], command: Command, options: CommandOptions): Promise<Run> => {
    const service = createTestService(tested, services).omitServicePerspectives().omitServiceReactions();
    return runCommand(service, registry, { given, command, options });
  };
  return {
    streamId: defaultStreamId,
    given: (...events) => ({
      when: (command, options = {}) => new CommandOutcome(run(events, command, options), registry.messages),
    }),
  };
}

/** A test of the receptors of a service. */
export interface ReceptorTest {
  /** The stream of given events that name no other. */
  readonly streamId: Uuid;
  /** The events that are stored before the command, each a minute after the previous one. */
  given(...events: readonly AnyEvent[]): {
    /** Runs a command. The clock of the process shows one fixed time while it runs. */
    when(command: Command, options?: CommandOptions): CommandOutcome;
  };
}

/** What a command did. Each check runs the same command once. */
export class CommandOutcome {
  readonly #run: Promise<Run>;
  readonly #messages: readonly MessageDescriptor[];

  constructor(run: Promise<Run>, messages: readonly MessageDescriptor[]) {
    this.#run = run;
    this.#messages = messages;
    // A check reports it.
    run.catch(() => {});
  }

  /** Requires that the command appended exactly these events, in this order; with `{ event, streamId }`, to that stream. */
  // oxlint-disable-next-line unicorn/no-thenable -- the third step of given, when, then; the compiler rejects awaiting an outcome
  async then(...events: readonly AnyEvent[]): Promise<void> {
    if (typeof events[0] === 'function') {
      (events[1] as unknown as (error: Error) => void)(
        new TypeError('An outcome cannot be awaited. Call then, thenRejects, thenReturns or appended.'),
      );
      return;
    }
    const appended = await this.appended();
    const actual = appended.map(({ envelope, streamId }, i) =>
      this.#described(isGivenWithStream(events[i]) ? { event: envelope.payload, streamId } : envelope.payload),
    );
    assert.deepStrictEqual(
      actual,
      events.map((event) => this.#described(event)),
    );
  }

  /** Requires that the command failed with an error of the same class and message, or of this class. */
  async thenRejects(expected: Error | (new (...args: never[]) => Error)): Promise<void> {
    const { appended, result, error } = await this.#run;
    if (error === null) {
      const events = appended.map(({ envelope }) => this.#described(envelope.payload));
      assert.fail(
        `Expected the command to be rejected, but it returned ${JSON.stringify(result)} and appended ${JSON.stringify(events)}.`,
      );
    }
    if (typeof expected === 'function') assert.equal(error.constructor.name, expected.name, describedError(error));
    else assert.deepStrictEqual(describedError(error), describedError(expected));
  }

  /** Requires that the command returned a result. */
  async thenReturns(expected: unknown): Promise<void> {
    const { result } = await this.#committed();
    assert.deepStrictEqual(result, expected);
  }

  /** The events that the command appended, for other checks. */
  async appended(): Promise<readonly StreamEvent[]> {
    return (await this.#committed()).appended;
  }

  async #committed(): Promise<Run> {
    const run = await this.#run;
    if (run.error === null) return run;
    const message = `Expected the command to be committed, but it was rejected with ${describedError(run.error)}`;
    throw new Error(message, { cause: run.error });
  }

  /** As JSON, as it is stored, so that the difference is readable. */
  #described(given: AnyEvent): object {
    const { event, streamId } = isGiven(given) ? given : { event: given, streamId: undefined };
    const { type, write } = descriptorOf(event, this.#messages);
    return { [type]: JSON.parse(withoutMarks(write(event))) as unknown, ...(streamId !== undefined && { streamId }) };
  }
}

interface Run {
  readonly appended: readonly StreamEvent[];
  readonly result: unknown;
  /** Null: the command was committed. */
  readonly error: Error | null;
}

interface Scenario {
  readonly given: readonly AnyEvent[];
  readonly command: Command;
  readonly options: CommandOptions;
}

async function runCommand<TServices extends object>(
  service: Service<TServices>,
  { messages }: Pick<ServiceRegistry<never>, 'messages'>,
  { given, command, options }: Scenario,
): Promise<Run> {
  const forgetIds = rememberIds();
  await service.start().ready();
  try {
    let time = firstTime - minute;
    for (const one of given) {
      const { event, streamId = defaultStreamId, timestamp, scope = null } = isGiven(one) ? one : { event: one };
      time = timestamp?.getTime() ?? time + minute;
      const { type } = descriptorOf(event, messages);
      await atTime(new Date(time), async () =>
        service.eventStore.append(streamId, wrap(type, event, { streamId, scope })),
      );
    }
    const { at = new Date(time + minute), scope = null } = options;
    const invoked = await atTime(at, () =>
      service.dispatcher.invoke(command, { scope }).then(
        (result: unknown) => ({ result, error: null }),
        (error: unknown) => ({ result: undefined, error: error instanceof Error ? error : new Error(String(error)) }),
      ),
    );
    return { ...invoked, appended: (await collect(service.eventStore.readAll())).slice(given.length) };
  } finally {
    await service.stop();
    forgetIds();
  }
}

function descriptorOf(event: object, messages: readonly MessageDescriptor[]): MessageDescriptor {
  const found = messages.find((message) => message.class === event.constructor);
  if (found !== undefined) return found;
  throw new TypeError(`${event.constructor.name} is not an event of this service. Run "svc generate".`);
}

function isGivenWithStream(event: AnyEvent | undefined): boolean {
  return event !== undefined && isGiven(event) && event.streamId !== undefined;
}

function describedError(error: Error): string {
  return `${error.constructor.name}: ${error.message}`;
}

/** A decider that changes its state fails here, not only when svc computes the state again. */
function withFrozenStates<TServices extends object>(registry: ServiceRegistry<TServices>): ServiceRegistry<TServices> {
  const deciders = registry.deciders?.map((descriptor) => {
    const create = (): Decider<unknown, never> => {
      const decider = descriptor.create();
      return {
        initial: () => deepFrozen(decider.initial() as unknown),
        evolve: (state, event) => deepFrozen(decider.evolve(state, event) as unknown),
      };
    };
    return { ...descriptor, create };
  });
  return deciders === undefined ? registry : { ...registry, deciders };
}
