export { readInstanceSteps, type InstanceStep } from './instance-steps.js';
export { instanceStreamId } from './process-keys.js';
export { startProcess } from './process-invocation.js';
export type { AnyProcess, Process, ProcessClass, ProcessContext } from './process.js';
