import type { SecurityContext } from '../../security/index.js';
import type { EventLog, PerspectiveStorage } from '../../storage/index.js';
import type { LiveModels } from '../live/live-models.js';
import type { ModelReader } from './model-reader.js';
import type { ProcessedEvents } from './processed-events.js';

/** Where the models of a perspective are read: the parts of one database. */
export interface ModelSource {
  readonly log: EventLog;
  readonly storage: PerspectiveStorage;
  readonly reader: ModelReader;
  readonly processed: ProcessedEvents;
  readonly live: LiveModels;
}

/** Finds the models for an actor; a null actor is the host, which can name the tenant whose models it reads. */
export type FindModels = (actor: SecurityContext | null, tenant?: string) => ModelSource | Promise<ModelSource>;
