import type { DiagnosticNames } from '../diagnostics/index.js';
import { isGraphQLName, reservedTypeNames } from './names.js';
import { scalarDescriptions, type GraphQLDefinition, type ScalarName } from './schema-model.js';

/** Reports that a name cannot be used. */
export type ReportName = <TCode extends 'SVC1501' | 'SVC1502'>(code: TCode, ...names: DiagnosticNames<TCode>) => void;

interface Entry {
  readonly origins: Set<unknown>;
  readonly where: string;
  definition: GraphQLDefinition | null;
}

/** The types of a schema while it is built, with unique names. */
export class Definitions {
  readonly #entries = new Map<string, Entry>();
  readonly #scalars = new Set<ScalarName>();
  readonly #report: ReportName;

  constructor(report: ReportName) {
    this.#report = report;
  }

  /** Records that a scalar is used. */
  scalar(name: string): string {
    if (isOurScalar(name)) this.#scalars.add(name);
    return name;
  }

  /** Adds a type unless it exists. `origin` identifies what the type was made from: another origin under the same name is an error. */
  add(name: string, origin: unknown, where: string, make: () => GraphQLDefinition): string {
    const known = this.#entries.get(name);
    if (known !== undefined) {
      if (!known.origins.has(origin)) {
        known.origins.add(origin);
        this.#report('SVC1501', name, known.where, where);
      }
      return name;
    }
    if (!isGraphQLName(name)) this.#report('SVC1502', where, name, 'is not a valid GraphQL name');
    if (reservedTypeNames.has(name)) this.#report('SVC1502', where, name, 'is reserved');
    const entry: Entry = { origins: new Set([origin]), where, definition: null };
    // Registered before it is built: it may contain itself.
    this.#entries.set(name, entry);
    entry.definition = make();
    return name;
  }

  sorted(): GraphQLDefinition[] {
    return [...this.#entries]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, { definition }]) => (definition === null ? [] : [definition]));
  }

  scalars(): ScalarName[] {
    return [...this.#scalars].toSorted();
  }
}

function isOurScalar(name: string): name is ScalarName {
  return Object.hasOwn(scalarDescriptions, name);
}
