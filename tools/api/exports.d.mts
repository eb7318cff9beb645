export interface EntryPoint {
  /** What is imported, such as `@svc/core/storage`. */
  readonly specifier: string;
  /** The path of its source file. */
  readonly file: string;
}

export interface Declaration {
  /** The file that has it. */
  readonly file: string;
  /** The syntax tree of the declaration. */
  readonly node: unknown;
  readonly kind: 'class' | 'function' | 'interface' | 'type' | 'enum' | 'constant';
  /** Its doc comment as one line. */
  readonly comment: string;
}

export function entryPoints(root: string): readonly EntryPoint[];
export function exportedNames(file: string): readonly string[];
export function declarationsOf(file: string, name: string): readonly Declaration[];
export function importedDeclarations(file: string, name: string): readonly Declaration[];
