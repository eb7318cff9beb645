import { accessOperations } from './access.js';
import { auditOperations } from './audit.js';
import { chain } from './chains.js';
import { deadLetterOperations } from './dead-letters.js';
import { eventOperations } from './events.js';
import { migrationOperations } from './migrations.js';
import type { Operation } from './operation.js';
import { operationOperations } from './operations.js';
import { deployment, overview, overviewHistory } from './overview.js';
import { perspectiveOperations } from './perspectives.js';
import { processOperations } from './processes.js';
import { reactionOperations } from './reactions.js';
import { scheduleOperations } from './schedule.js';
import { search } from './search.js';
import { session } from './session.js';
import { signIn } from './sign-in.js';
import { streamOperations } from './streams.js';

export { apiRoutes } from './routes.js';

/** All operations of the API. */
export const operations: readonly Operation[] = [
  signIn,
  session,
  overview,
  overviewHistory,
  deployment,
  search,
  ...auditOperations,
  ...eventOperations,
  chain,
  ...streamOperations,
  ...accessOperations,
  ...perspectiveOperations,
  ...reactionOperations,
  ...scheduleOperations,
  ...processOperations,
  ...operationOperations,
  ...deadLetterOperations,
  ...migrationOperations,
];
