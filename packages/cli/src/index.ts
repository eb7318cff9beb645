export { run } from './cli.js';
export { ExitCode, type Terminal } from './terminal.js';
