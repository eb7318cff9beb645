import type { Diagnostic, Problem } from '../diagnostics/index.js';
import type { ts } from './compiler.js';
import type { ProjectPaths } from './project.js';

/** A location in a source file, with line and column from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export function locationOf(node: ts.Node, paths: ProjectPaths): Location {
  const source = node.getSourceFile();
  return locationAt(source, node.getStart(source), paths);
}

export function locationAt(source: ts.SourceFile, position: number, paths: ProjectPaths): Location {
  const { line, character } = source.getLineAndCharacterOfPosition(position);
  return { file: paths.shown(source.fileName), line: line + 1, column: character + 1 };
}

export function startOf(file: string): Location {
  return { file, line: 1, column: 1 };
}

export function diagnosticAt({ file, line, column }: Location, { code, message }: Problem): Diagnostic {
  return { code, file, line, column, message };
}
