export { admit, rejectCaller } from './admit.js';
export { challenge } from './challenge.js';
