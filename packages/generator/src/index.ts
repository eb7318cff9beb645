export { readCompilerSettings, type CompilerSettings, type Project } from './analysis/index.js';
export type { CompilerError } from './build/compiler-error.js';
export { ProjectCompiler, type Compilation } from './build/project-compiler.js';
export { formatDiagnostic, type Diagnostic } from './diagnostics/index.js';
export { Generator, type Generation } from './generator.js';
export type { Drift } from './output.js';
export { loadProject } from './project.js';
export { watchProject, type SourceChanges, type Watcher } from './watch.js';
