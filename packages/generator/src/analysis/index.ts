export { ts } from './compiler.js';
export { readCompilerSettings, type CompilerSettings } from './configuration.js';
export { ProgramAnalyzer, type Analysis } from './program-analyzer.js';
export type { Project } from './project.js';
