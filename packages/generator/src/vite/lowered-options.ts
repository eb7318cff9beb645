import { dirname } from 'node:path';
import { ts } from '../analysis/index.js';

/** The options that compile decorators of the modules in a folder: those of its tsconfig, as far as they concern one module. */
export function lowered(folder: string): ts.CompilerOptions {
  const { target = ts.ScriptTarget.ES2022, ...options } = optionsOf(
    ts.findConfigFile(folder, (path) => ts.sys.fileExists(path)),
  );
  return {
    ...options,
    target: Math.min(target, ts.ScriptTarget.ES2022),
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    // Elides types from imports, as the compiler of the service does.
    verbatimModuleSyntax: false,
    sourceMap: true,
    inlineSourceMap: false,
    inlineSources: true,
    declaration: false,
    declarationMap: false,
    composite: false,
    noEmit: false,
    emitDeclarationOnly: false,
  };
}

function optionsOf(tsconfig: string | undefined): ts.CompilerOptions {
  if (tsconfig === undefined) return {};
  const { config } = ts.readConfigFile(tsconfig, (path) => ts.sys.readFile(path)) as { config?: unknown };
  // Only the options matter here: do not look for the sources.
  const host = { ...ts.sys, readDirectory: () => [] };
  return ts.parseJsonConfigFileContent(config ?? {}, host, dirname(tsconfig), undefined, tsconfig).options;
}
