export { CommandRunner } from './command-runner.js';
export { versionPattern, type InstanceRunner, type Place } from './instance-runner.js';
export { ProcessRunner } from './process-runner.js';
export { birthOf } from './processes.js';
