/** A service that reserves seats of shows: each reservation decides from all earlier ones of its show. */
import {
  CommandRejectedError,
  commandEndpoint,
  createService,
  RestMutationEndpointBase,
  snapshot,
  uuid,
} from '@svc/core';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';

/** @typedef {import('@svc/core').Uuid} Uuid */
/** @typedef {import('@svc/core').ReceptorContext} ReceptorContext */
/** @typedef {{ readonly taken: number }} ShowState */

export class ReserveSeat {
  showId = uuid('00000000-0000-7000-8000-000000000000');
  capacity = 0;
}
commandEndpoint({ restRoute: '/seats' })(ReserveSeat);

export class SeatReserved {
  seat = 0;
}

export class Show {
  /** @returns {ShowState} */
  initial() {
    return { taken: 0 };
  }

  /** @param {ShowState} state @returns {ShowState} */
  evolve({ taken }) {
    return { taken: taken + 1 };
  }
}
snapshot({ every: 100 })(Show);

/** @param {ReserveSeat} command @param {ReceptorContext} context */
async function withDecider({ showId, capacity }, context) {
  const show = await context.load(Show, showId);
  if (show.state.taken >= capacity) throw new CommandRejectedError('Sold out.');
  show.append(Object.assign(new SeatReserved(), { seat: show.state.taken }));
}

/** Without queue and retries: the client repeats a request that is answered with 409. @param {ReserveSeat} command @param {ReceptorContext} context */
async function withClients({ showId, capacity }, context) {
  let taken = 0;
  for await (const { position } of context.readStream(showId)) taken = position + 1;
  if (taken >= capacity) throw new CommandRejectedError('Sold out.');
  context.append(showId, Object.assign(new SeatReserved(), { seat: taken }));
}

/** @extends {RestMutationEndpointBase<ReserveSeat, void>} */
class Endpoint extends RestMutationEndpointBase {
  restRoute = '/seats';
}

/** @param {new () => object} type @param {import('@svc/core/testing').MessageKind} kind */
function message(type, kind) {
  return {
    type: `theater.${type.name}`,
    kind,
    class: type,
    read: (/** @type {unknown} */ value) => Object.assign(new type(), value),
    write: JSON.stringify,
  };
}

/** Starts the service. @param {string} target A URL, or a file. @param {string} subject */
export async function startTheater(target, subject) {
  const receive = subject === 'clients' ? withClients : withDecider;
  const service = createService({
    messages: [message(ReserveSeat, 'command'), message(SeatReserved, 'event')],
    receptors: [{ name: 'ReserveSeatReceptor', command: ReserveSeat, create: () => ({ receive }) }],
    endpoints: [
      {
        name: 'ReserveSeatEndpoint',
        command: ReserveSeat,
        restRoute: '/seats',
        graphQLMutation: null,
        readRequest: (value) => Object.assign(new ReserveSeat(), value),
        writeResult: () => 'null',
        create: ({ dispatcher }) => new Endpoint(dispatcher),
      },
    ],
    deciders: [
      {
        name: 'Show',
        class: Show,
        events: [SeatReserved],
        readState: (value) => Object.assign({}, value),
        writeState: JSON.stringify,
        create: () => new Show(),
      },
    ],
    openapi: { paths: {}, components: { schemas: {} }, states: { Show: { type: 'object' } } },
  }).useStorage(target.startsWith('postgres') ? postgres({ url: target }) : sqlite({ file: target }));
  if (subject === 'clients') service.conflictRetries(0);
  service.start();
  await service.ready();
  return service;
}
