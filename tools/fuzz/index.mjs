/** The parts of the fuzzer that tests use. */
export { committedCommands } from './check/committed-commands.mjs';
export { Isolation } from './check/isolation.mjs';
export { Ledger } from './check/ledger.mjs';
export { checkLog } from './check/log-check.mjs';
export { judgeMemory } from './check/memory.mjs';
export { readOptions } from './options.mjs';
export { replay } from './replay.mjs';
export { reportOf } from './report.mjs';
export { fuzz } from './run.mjs';
export { AnswerReader } from './send/answer-reader.mjs';
export { shrunk } from './shrink.mjs';
