export { isSame, readEquivalents } from './equivalent.mjs';
export { instrument } from './instrument.mjs';
export { mutantsOf } from './mutants.mjs';
export { readOptions } from './options.mjs';
export { reportOf, summaryOf } from './report.mjs';
export { mutate } from './run.mjs';
export { numberedMutants, readSources, sampleOf } from './sources.mjs';
