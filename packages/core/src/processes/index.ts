export { startProcess } from './process-invocation.js';
export type { AnyProcess, Process, ProcessClass, ProcessContext } from './process.js';
