import type { EventLog, PerspectiveStorage } from '../../storage/index.js';
import type { LiveModels } from '../live/live-models.js';
import type { NamedPerspective } from '../perspective.js';
import { ModelReader } from '../read/model-reader.js';
import { ProcessedEvents } from '../read/processed-events.js';

/** The source of the models that are stored for a perspective. */
export function modelSource(named: NamedPerspective, log: EventLog, storage: PerspectiveStorage, live: LiveModels) {
  const reader = new ModelReader(named, storage);
  const processed = new ProcessedEvents(named.name, log, storage);
  return { log, storage, reader, processed, live };
}
