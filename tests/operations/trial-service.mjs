/** A service with a perspective to rebuild, one that stops at some events, and messages that its broker rejects until the program is fixed. */
import { createService } from '@svc/core';
import { MessageUndeliverableError } from '@svc/core/transport';

export class Counted {
  note = '';
}

/** How many events each stream has. */
export class Tallies {
  apply(model) {
    return { count: (model?.count ?? 0) + 1 };
  }
}

class Fragile {
  apply(model) {
    return { count: (model?.count ?? 0) + 1 };
  }
}

class Broken {
  apply(model, { note }) {
    if (note === 'bad') throw new TypeError('This program does not know bad notes.');
    return { count: (model?.count ?? 0) + 1 };
  }
}

const described = (name, perspective) => ({
  name,
  class: perspective,
  events: [Counted],
  readModel: (value) => value,
  writeModel: JSON.stringify,
  create: () => new perspective(),
});

function registry(isFixed) {
  return {
    messages: [
      {
        type: 'trial.Counted',
        kind: 'event',
        class: Counted,
        read: (value) => Object.assign(new Counted(), value),
        write: JSON.stringify,
      },
    ],
    receptors: [],
    endpoints: [],
    perspectives: [described('Tallies', Tallies), described('Fragile', isFixed ? Fragile : Broken)],
    openapi: { paths: {}, components: { schemas: {} } },
  };
}

/** A broker without receivers. Until the program is fixed, it rejects each message whose body contains "refused". */
function broker(isFixed) {
  return {
    hostName: 'trial',
    publish(messages) {
      const rejected = messages.find(({ body }) => body.includes('refused'));
      return rejected === undefined || isFixed
        ? Promise.resolve()
        : Promise.reject(new MessageUndeliverableError(rejected.id, 'TooLarge'));
    },
    subscribe: () => Promise.resolve({ isUp: true, close: () => Promise.resolve() }),
  };
}

/**
 * Has what fills tables beside others wait while the gate is closed. It opens by itself once the host knows that it is to give up, which
 * it cannot act on before.
 */
export function gated(inner) {
  let isClosed = false;
  let failure = null;
  let wakeAll = [];
  const gate = {
    hold: () => void (isClosed = true),
    failOnce: (error) => void (failure = error),
    go() {
      isClosed = false;
      for (const wake of wakeAll) wake();
      wakeAll = [];
    },
  };
  const bound = (target, overrides) =>
    new Proxy(target, {
      get(_, name) {
        if (Object.hasOwn(overrides, name)) return overrides[name];
        const value = target[name];
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  const perspectives = bound(inner.perspectives, {
    async commitPerspective(commit) {
      if (commit.tables?.role === 'rebuilding') {
        if (isClosed) await new Promise((resolve) => wakeAll.push(resolve));
        const error = failure;
        failure = null;
        if (error !== null) throw error;
      }
      await inner.perspectives.commitPerspective(commit);
    },
  });
  const operations = bound(inner.operations, {
    async renew(...args) {
      const state = await inner.operations.renew(...args);
      if (state === 'cancelling' || state === null) gate.go();
      return state;
    },
  });
  return { gate, storage: bound(inner, { perspectives, operations }) };
}

export async function startTrial(storage, { isFixed = true, report = () => {} } = {}) {
  const service = createService(registry(isFixed))
    .useStorage(storage)
    .useTransport(broker(isFixed))
    .addSystemEvents((options) => options.enableAll())
    .addServicePerspectives()
    .reportTo(report)
    .start();
  await service.ready();
  return service;
}
