import type { NamedType, TypeModel } from '../model/index.js';

/** What the body of a generated reader can use and declare. */
export interface ReaderScope {
  /** The name of a class that the generated code creates instances of. */
  className(type: NamedType): string;
  /** The name under which a function of `@svc/core/json` is imported. */
  core(name: string): string;
  /** The name under which a type of `@svc/core/json` is imported. */
  coreType(name: string): string;
  /** An expression that reads `input`. `key` is its property, or null; `owner` names helper functions. */
  expression(type: TypeModel, input: string, key: string | null, owner: string): string;
  /** Whether reading returns another value than the parsed one: a `Date`, a `Set`, an id in lower case. Objects are changed in place. */
  converts(type: TypeModel): boolean;
  /** Declares a constant next to the function `owner`, named after it. */
  constant(owner: string, suffix: string, text: string, type?: string): string;
}
