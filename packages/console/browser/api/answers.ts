/** The operations of the API that the page uses, and what they answer. */
import type { Session, SignIn } from '../../src/contract/index.js';

export interface Answers {
  'GET /sign-in': SignIn;
  'GET /session': Session;
}
