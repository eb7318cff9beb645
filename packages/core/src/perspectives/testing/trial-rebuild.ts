import { EventLog, type InMemoryStorage, type StorageLeases } from '../../storage/index.js';
import { NoOpSystemEventEmitter } from '../../system-events/index.js';
import type { RebuildParts } from '../rebuild/replay.js';
import { trialMessages } from './trial-messages.js';

/** The parts of a rebuild by the only host of a storage, with defaults for those that a test omits. */
export function rebuildParts(storage: InMemoryStorage, fields: Partial<RebuildParts> = {}): RebuildParts {
  return {
    log: new EventLog(storage, trialMessages),
    storage: storage.perspectives,
    emitter: new NoOpSystemEventEmitter(),
    mayTouch: () => Promise.resolve(true),
    helpers: () => null,
    ...fields,
  };
}

/** The leases of this host, which is `own` among the holders of lanes. */
export function ownLeases(holders: Map<string, string>): StorageLeases {
  return {
    hold: (lane) => {
      if (!holders.has(lane)) holders.set(lane, 'own');
      return Promise.resolve(holders.get(lane) === 'own');
    },
    release: (lane) => Promise.resolve(void holders.delete(lane)),
    readHeld: () => Promise.resolve([]),
    onReleased: () => {},
  };
}
