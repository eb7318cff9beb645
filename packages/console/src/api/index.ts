import type { Operation } from './operation.js';
import { session } from './session.js';
import { signIn } from './sign-in.js';

export { apiRoutes } from './routes.js';

/** All operations of the API. */
export const operations: readonly Operation[] = [signIn, session];
