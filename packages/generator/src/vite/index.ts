export { decorators } from './decorators.js';
