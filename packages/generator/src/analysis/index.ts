export { ts } from './compiler.js';
export { graphQLCalls, type GraphQLCall } from './graphql-calls.js';
export { readCompilerSettings, type CompilerSettings } from './configuration.js';
export { ProgramAnalyzer, type Analysis } from './program-analyzer.js';
export { ProjectPaths, type Project, type ProjectDocuments } from './project.js';
