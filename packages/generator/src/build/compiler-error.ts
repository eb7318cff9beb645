import { ts } from '../analysis/compiler.js';
import { withSlashes } from '../analysis/project.js';

/** A compiler error: its location, its code and a message. */
export class CompilerError {
  /** Relative to the project's directory, with `/`; null: the error belongs to no file. */
  readonly file: string | null;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** `TS2322`; null: svc reports it. */
  readonly code: string | null;
  readonly message: string;

  private constructor(file: string | null, place: ts.LineAndCharacter, code: string | null, message: string) {
    this.file = file;
    this.line = place.line + 1;
    this.column = place.character + 1;
    this.code = code;
    this.message = message;
  }

  static of({ file, start, code, messageText }: ts.Diagnostic, directory: string): CompilerError {
    const message = ts.flattenDiagnosticMessageText(messageText, '\n');
    if (file === undefined) return new CompilerError(null, beginning, `TS${code}`, message);
    const place = start === undefined ? beginning : ts.getLineAndCharacterOfPosition(file, start);
    return new CompilerError(shown(file.fileName, directory), place, `TS${code}`, message);
  }

  /** An error at the beginning of a file. */
  static at(file: string, directory: string, message: string): CompilerError {
    return new CompilerError(shown(file, directory), beginning, null, message);
  }

  /** `src/orders/create-order.ts:7:3 TS2322 …` */
  format(): string {
    const place = this.file === null ? '' : `${this.file}:${this.line}:${this.column} `;
    return place + (this.code === null ? '' : `${this.code} `) + this.message;
  }
}

const beginning: ts.LineAndCharacter = { line: 0, character: 0 };

function shown(file: string, directory: string): string {
  const root = `${withSlashes(directory)}/`;
  const path = withSlashes(file);
  return path.startsWith(root) ? path.slice(root.length) : path;
}
