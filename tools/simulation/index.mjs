export { invariants } from './invariants/index.mjs';
export { localDatabase } from './local-database.mjs';
export { readOptions } from './options.mjs';
export { planOf } from './plan.mjs';
export { loadProgram } from './program.mjs';
export { failureText, reportOf } from './report.mjs';
export { run } from './run.mjs';
export { shrunk } from './shrink.mjs';
export { simulate } from './simulate.mjs';
