import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';

/** An event to append has the id of another stored event. */
export class DuplicateEventError extends ServiceError {
  readonly eventId: Uuid;

  constructor(eventId: Uuid) {
    super(
      'SVC_DUPLICATE_EVENT',
      `Cannot append the event ${eventId}: another event has this id. Create a new envelope for each event.`,
    );
    this.eventId = eventId;
  }
}
