export { installInto, scaleTo, type Installation } from './scaling.js';
