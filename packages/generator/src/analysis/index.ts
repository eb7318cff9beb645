export { lowerDecorators, type Lowered } from './lower-decorators.js';
export { ProgramAnalyzer, type Analysis } from './program-analyzer.js';
export type { Project } from './project.js';
