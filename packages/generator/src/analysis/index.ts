export { ts } from './compiler.js';
export { ProgramAnalyzer, type Analysis } from './program-analyzer.js';
export type { Project } from './project.js';
