import type { Operation } from './operation.js';
import { deployment, overview, overviewHistory } from './overview.js';
import { session } from './session.js';

export { apiRoutes } from './routes.js';

/** All operations of the API. */
export const operations: readonly Operation[] = [session, overview, overviewHistory, deployment];
