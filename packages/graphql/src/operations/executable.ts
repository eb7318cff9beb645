import type { DocumentNode } from 'graphql';

/** What can be executed any number of times. */
export interface Executable {
  /** The operation and its fragments, without other operations. */
  readonly document: DocumentNode;
  /** Whether it requests introspection, which only the published schema answers. */
  readonly isIntrospection: boolean;
  /** Whether it is introspection only, without variables: every caller gets the same result. */
  readonly isSchemaOnly: boolean;
  /** How often it runs before it is compiled, because compiling costs more than a few executions. */
  readonly usesBeforeCompilation: number;
}
