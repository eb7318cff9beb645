import { compareDiagnostics, problem, type Diagnostic, type Problem } from '../diagnostics/index.js';
import type { FoundText } from './document-files.js';
import {
  graphQLLibrary,
  isFragment,
  isOperation,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type Source,
} from './graphql-js.js';
import { isSkippable, rulesOfDocuments } from './rules.js';

/** The operations and fragments of all documents. */
export interface CheckedDocuments {
  /** The problems to fix, sorted. The rest is complete only if there are none. */
  readonly diagnostics: readonly Diagnostic[];
  readonly operations: readonly OperationDefinitionNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly calls: readonly { readonly text: string; readonly operation: string | null }[];
}

type Definition = OperationDefinitionNode | FragmentDefinitionNode;

/** Parses documents and checks them against a schema. `shown` is the name of a file in diagnostics. */
export function checkDocuments(
  found: readonly FoundText[],
  schema: GraphQLSchema,
  shown: (file: string) => string,
): CheckedDocuments {
  return new DocumentCheck(schema, shown).run(found);
}

class DocumentCheck {
  readonly #schema: GraphQLSchema;
  readonly #shown: (file: string) => string;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #texts = new Map<Source, FoundText>();
  readonly #operations = new Map<string, OperationDefinitionNode>();
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #calls: { text: string; operation: string | null }[] = [];

  constructor(schema: GraphQLSchema, shown: (file: string) => string) {
    this.#schema = schema;
    this.#shown = shown;
  }

  run(found: readonly FoundText[]): CheckedDocuments {
    for (const text of found) this.#read(text);
    for (const [name, operation] of this.#operations) {
      if (!isSkippable(operation, this.#fragments)) continue;
      this.#report(problem('SVC2205', name), operation);
      // The library throws if a variable decides whether a subscription has a field.
      this.#operations.delete(name);
    }
    const definitions = [...this.#operations.values(), ...this.#fragments.values()];
    if (definitions.length > 0) {
      const document = { kind: graphQLLibrary().Kind.DOCUMENT, definitions } as const;
      const options = { maxErrors: Number.MAX_SAFE_INTEGER };
      for (const error of graphQLLibrary().validate(this.#schema, document, rulesOfDocuments(), options))
        this.#reportError(problem('SVC2202', withStop(error.message)), error);
    }
    return {
      diagnostics: this.#diagnostics.toSorted(compareDiagnostics),
      operations: [...this.#operations.values()],
      fragments: this.#fragments,
      calls: this.#calls,
    };
  }

  #read(found: FoundText): void {
    const definitions = this.#parsed(found);
    const operations = definitions.filter((definition) => isOperation(definition));
    const [first, second] = operations;
    if (found.isCall && second !== undefined) this.#report(problem('SVC2207', nameOf(first!), nameOf(second)), second);
    for (const definition of definitions) this.#add(definition);
    const { text } = found.call;
    if (found.isCall && text !== null) this.#calls.push({ text, operation: first?.name?.value ?? null });
  }

  /** A file that defines types is a schema, which other tools use. */
  #parsed(found: FoundText): Definition[] {
    const { Source, parse } = graphQLLibrary();
    const { text } = found.call;
    if (text === null) {
      this.#diagnostics.push(this.#at(problem('SVC2206'), found, 1, 1));
      return [];
    }
    const source = new Source(text);
    this.#texts.set(source, found);
    try {
      const { definitions } = parse(source);
      return definitions.filter((definition) => isOperation(definition) || isFragment(definition));
    } catch (error) {
      const { message } = error as GraphQLError;
      this.#reportError(problem('SVC2201', withStop(message)), error as GraphQLError);
      return [];
    }
  }

  #add(definition: Definition): void {
    if (isFragment(definition)) {
      this.#addTo(this.#fragments, definition.name.value, definition, 'fragment');
      return;
    }
    const name = definition.name?.value;
    if (name === undefined) this.#report(problem('SVC2203', definition.operation), definition);
    else this.#addTo(this.#operations, name, definition, 'operation');
  }

  #addTo<T extends Definition>(known: Map<string, T>, name: string, definition: T, kind: string): void {
    const other = known.get(name);
    if (other === undefined) known.set(name, definition);
    else this.#report(problem('SVC2204', kind, name, this.#placeOf(other)), definition);
  }

  #placeOf(definition: Definition): string {
    const { file, line } = this.#diagnosticAt(problem('SVC2204', '', '', ''), definition);
    return `${file}:${line}`;
  }

  #report(found: Problem, definition: Definition): void {
    this.#diagnostics.push(this.#diagnosticAt(found, definition));
  }

  #diagnosticAt(found: Problem, { loc }: Definition): Diagnostic {
    const { line, column } = graphQLLibrary().getLocation(loc!.source, loc!.start);
    return this.#at(found, this.#texts.get(loc!.source)!, line, column);
  }

  /** Errors of the library are about documents, so that they have a place. */
  #reportError(found: Problem, error: GraphQLError): void {
    const [{ line, column } = { line: 1, column: 1 }] = error.locations ?? [];
    this.#diagnostics.push(this.#at(found, this.#texts.get(error.source!)!, line, column));
  }

  /** @param line within the text, from 1 */
  #at({ code, message }: Problem, { file, call }: FoundText, line: number, column: number): Diagnostic {
    return {
      code,
      message,
      file: this.#shown(file),
      line: call.line + line - 1,
      column: line === 1 ? call.column + column - 1 : column,
    };
  }
}

function nameOf({ name, operation }: OperationDefinitionNode): string {
  return name?.value ?? `an unnamed ${operation}`;
}

function withStop(message: string): string {
  return /[.?!]$/.test(message) ? message : `${message}.`;
}
