/** A theater whose seats are reserved, as the generator would describe it. */
import {
  CommandRejectedError,
  commandEndpoint,
  createService,
  InMemoryStorage,
  RestMutationEndpointBase,
  snapshot,
  type Decider,
  type Dispatcher,
  type MessageClass,
  type Receptor,
  type ReceptorContext,
  type Service,
  type ServiceRegistry,
  type Uuid,
} from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { type MessageKind } from '@svc/core/testing';
import { onTestFinished } from 'vitest';

@commandEndpoint<ReserveSeats, number>({ restRoute: '/seats' })
export class ReserveSeats {
  showId!: Uuid;
  seats = 1;
}
/** Reserves seats in a unit of work of its own, while it holds the show. */
export class ReserveInside extends ReserveSeats {}

export class SeatsReserved {
  seats = 0;
}

export interface ShowState {
  readonly taken: number;
}

@snapshot({ every: 5 })
export class Show implements Decider<ShowState, SeatsReserved> {
  initial(): ShowState {
    return { taken: 0 };
  }
  evolve({ taken }: ShowState, { seats }: SeatsReserved): ShowState {
    return { taken: taken + seats };
  }
}

export const capacity = 20;

/** What the receptor does between its decision and its end. Default: nothing. */
export type AfterDeciding = (command: ReserveSeats, context: ReceptorContext) => unknown;

class ReserveSeatsReceptor implements Receptor<ReserveSeats, number> {
  constructor(readonly afterDeciding: AfterDeciding = () => {}) {}

  async receive(command: ReserveSeats, context: ReceptorContext): Promise<number> {
    const show = await context.load(Show, command.showId);
    if (show.state.taken + command.seats > capacity) throw new CommandRejectedError('Sold out.');
    show.append(Object.assign(new SeatsReserved(), { seats: command.seats }));
    await this.afterDeciding(command, context);
    return show.state.taken;
  }
}

class ReserveInsideReceptor implements Receptor<ReserveInside, unknown> {
  constructor(readonly dispatcher: Dispatcher) {}

  async receive({ showId, seats }: ReserveInside, context: ReceptorContext): Promise<unknown> {
    await context.load(Show, showId);
    return await this.dispatcher.invoke(Object.assign(new ReserveSeats(), { showId, seats }));
  }
}

class ReserveSeatsEndpoint extends RestMutationEndpointBase<ReserveSeats, number> {
  readonly restRoute = '/seats';
  readonly #hooks: string[];

  constructor(dispatcher: Dispatcher, hooks: string[]) {
    super(dispatcher);
    this.#hooks = hooks;
  }

  protected override onBeforeExecute(): void {
    this.#hooks.push('before');
  }
  protected override onAfterExecute(): void {
    this.#hooks.push('after');
  }
  protected override onError(): null {
    this.#hooks.push('error');
    return null;
  }
}

const message = (type: MessageClass, kind: MessageKind) => ({
  type: `theater.${type.name}`,
  kind,
  class: type,
  read: (value: unknown) => Object.assign(new type(), value),
  write: JSON.stringify,
});

export const showDescriptor = {
  name: 'Show',
  class: Show as MessageClass,
  events: [SeatsReserved] as MessageClass[],
  readState: (value: unknown) => value as object,
  writeState: JSON.stringify as (value: object) => string,
  create: (): Decider<ShowState, SeatsReserved> => new Show(),
};

export interface TheaterSetup {
  readonly storage?: Storage;
  readonly afterDeciding?: AfterDeciding;
  readonly decider?: Partial<typeof showDescriptor>;
  /** The schema of the state. */
  readonly stateSchema?: object;
  readonly configure?: (service: Service) => void;
  /** The hooks of the endpoint that have run. */
  readonly hooks?: string[];
}

/** Started. Stopped when the test has ended. */
export async function theater(setup: TheaterSetup = {}): Promise<Service> {
  const { storage, afterDeciding, decider, stateSchema = { type: 'object' }, configure, hooks = [] } = setup;
  const registry: ServiceRegistry<object> = {
    messages: [message(ReserveSeats, 'command'), message(ReserveInside, 'command'), message(SeatsReserved, 'event')],
    receptors: [
      { name: 'ReserveSeatsReceptor', command: ReserveSeats, create: () => new ReserveSeatsReceptor(afterDeciding) },
      {
        name: 'ReserveInsideReceptor',
        command: ReserveInside,
        create: (host) => new ReserveInsideReceptor(host.dispatcher),
      },
    ],
    endpoints: [
      {
        name: 'ReserveSeatsEndpoint',
        command: ReserveSeats,
        restRoute: '/seats',
        graphQLMutation: null,
        readRequest: (value) => Object.assign(new ReserveSeats(), value),
        writeResult: JSON.stringify,
        create: ({ dispatcher }) => new ReserveSeatsEndpoint(dispatcher, hooks),
      },
    ],
    deciders: [{ ...showDescriptor, ...decider }],
    openapi: { paths: {}, components: { schemas: {} }, states: { Show: stateSchema } },
  };
  const service = createService(registry).useStorage(storage ?? new InMemoryStorage());
  configure?.(service);
  onTestFinished(() => service.stop());
  await service.start().ready();
  return service;
}

export function reserve(service: Service, showId: Uuid, seats = 1): Promise<number> {
  return service.dispatcher.invoke(Object.assign(new ReserveSeats(), { showId, seats })) as Promise<number>;
}

/** How commands ended: the number of each result or error code. */
export async function outcomesOf(commands: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.allSettled(commands)) {
    const name = outcome.status === 'fulfilled' ? 'committed' : String((outcome.reason as { code?: string }).code);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
