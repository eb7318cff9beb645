import { NoOpSystemEventEmitter, type SystemEventEmitter } from '../../system-events/index.js';

/** An emitter that adds system events to a list instead of storing them. */
export function emitterTo(emitted: object[]): SystemEventEmitter {
  const emit = (event: object): Promise<void> => Promise.resolve(void emitted.push(event));
  return Object.assign(new NoOpSystemEventEmitter(), { emit });
}
