import { AsyncLocalStorage } from 'node:async_hooks';

/** The contexts of all simulated processes in one: a list of `[context, store]`. Node's own cost time at each promise, one by one. */
const all = new AsyncLocalStorage();
const none = [];

/** `AsyncLocalStorage` for simulated processes. */
export class SimulatedContext {
  run(store, action, ...args) {
    return all.run(this.#with(store), action, ...args);
  }

  exit(action, ...args) {
    return this.run(undefined, action, ...args);
  }

  enterWith(store) {
    all.enterWith(this.#with(store));
  }

  getStore() {
    for (const [context, store] of all.getStore() ?? none) if (context === this) return store;
    return undefined;
  }

  #with(store) {
    const entries = [[this, store]];
    for (const entry of all.getStore() ?? none) if (entry[0] !== this) entries.push(entry);
    return entries;
  }
}

/** `AsyncResource` for simulated processes: the contexts of its creation. */
export class SimulatedResource {
  #contexts = all.getStore();

  runInAsyncScope(action, thisArg, ...args) {
    return all.run(this.#contexts, () => action.apply(thisArg, args));
  }
}
