export { emitClient } from './client-emitter.js';
