import { accessOperations } from './access.js';
import { auditOperations } from './audit.js';
import { chain } from './chains.js';
import { eventOperations } from './events.js';
import type { Operation } from './operation.js';
import { deployment, overview, overviewHistory } from './overview.js';
import { search } from './search.js';
import { session } from './session.js';
import { streamOperations } from './streams.js';
import { signIn } from './sign-in.js';

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
];
