import { AsyncLocalStorage } from 'node:async_hooks';

/** The contexts of all simulated processes in one. Node's own cost time at each promise for every process that was ever started. */
const all = new AsyncLocalStorage();

/** `AsyncLocalStorage` for simulated processes. */
export class SimulatedContext {
  run(store, action, ...args) {
    return all.run(new Map(all.getStore()).set(this, store), action, ...args);
  }

  exit(action, ...args) {
    return this.run(undefined, action, ...args);
  }

  enterWith(store) {
    all.enterWith(new Map(all.getStore()).set(this, store));
  }

  getStore() {
    return all.getStore()?.get(this);
  }
}
