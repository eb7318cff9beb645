/** A simulated database without a simulation: for the contract of storages. */
import { SimulatedDatabase } from './program/database.mjs';
import { simulatedStorage } from './program/storage.mjs';

const leaseMs = 10_000;

/** Returns a function that opens connections to one new database, which fails in no way. */
export function localDatabase() {
  const handlers = new Map();
  const notify = (connection, kind, value) => {
    for (const [name, handler] of handlers) {
      if (connection === null || connection === name) setImmediate(() => handler(kind, value));
    }
  };
  const database = new SimulatedDatabase({ leaseMs, notify });
  let opened = 0;
  return () => {
    const name = `local-${++opened}`;
    const link = {
      call: (method, args) => database.answer(name, method, args),
      listen: (handler) => handlers.set(name, handler),
      close: () => handlers.delete(name),
    };
    return simulatedStorage(link, { pollMs: 100, leaseMs });
  };
}
