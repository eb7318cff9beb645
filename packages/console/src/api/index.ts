import { deadLetterOperations } from './dead-letters.js';
import { migrationOperations } from './migrations.js';
import type { Operation } from './operation.js';
import { operationOperations } from './operations.js';
import { perspectiveOperations } from './perspectives.js';
import { processOperations } from './processes.js';
import { reactionOperations } from './reactions.js';
import { scheduleOperations } from './schedule.js';
import { session } from './session.js';

export { apiRoutes } from './routes.js';

/** All operations of the API. */
export const operations: readonly Operation[] = [
  session,
  ...perspectiveOperations,
  ...reactionOperations,
  ...scheduleOperations,
  ...processOperations,
  ...operationOperations,
  ...deadLetterOperations,
  ...migrationOperations,
];
