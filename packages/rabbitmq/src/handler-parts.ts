import type { Settings } from './options.js';
import type { Publisher } from './publisher.js';
import type { Names } from './topology.js';

/** What all queue handlers need. */
export interface HandlerParts {
  readonly publisher: Publisher;
  readonly names: Names;
  readonly settings: Settings;
}
