/** How a service is served over GraphQL. */
export interface SvcGraphQLOptions {
  /** Where the schema is served. Default: `/graphql`. */
  readonly path?: string;
  /** Whether the schema may be asked for and the explorer is served. Default: unless `NODE_ENV` is `production`. */
  readonly development?: boolean;
  /** Whether queries may ask for the schema. Default: in development. */
  readonly introspection?: boolean;
  /** Whether `GET` of the path answers with a page to try the schema in. Default: in development. */
  readonly explorer?: boolean;
  /** The largest body accepted, in bytes; the variables, with every use of them, may have as many characters. Default: 1 MiB. */
  readonly bodyLimit?: number;
  readonly limits?: Partial<GraphQLLimits>;
  /** Operations that are known beforehand; clients send their ids. Default: none, clients send texts. */
  readonly persistedOperations?: PersistedOperations;
}

/** How large a request may be. What is larger is refused before it is validated. */
export interface GraphQLLimits {
  /** Tokens of a document. Default: 1,000. */
  readonly tokens: number;
  /** Characters of a document. Default: 20,000. */
  readonly characters: number;
  /** Fields within fields. Default: 15. */
  readonly depth: number;
  /** Fields of an operation that are renamed, fragments spelt out. Default: 20. */
  readonly aliases: number;
  /** Queries or mutations in one operation, fragments spelt out. Default: 20. */
  readonly rootFields: number;
  /** Fields of an operation in all, fragments spelt out. Default: 1,000. */
  readonly fields: number;
  /** Operations in one request. Default: 10. */
  readonly batch: number;
}

export interface PersistedOperations {
  /** The text of an operation by its id: a table, or a function that looks it up. */
  readonly operations: Readonly<Record<string, string>> | ((id: string) => string | null | Promise<string | null>);
  /** Whether everything else is refused. Default: true. */
  readonly only?: boolean;
}

export const defaultLimits: GraphQLLimits = {
  tokens: 1000,
  characters: 20_000,
  depth: 15,
  aliases: 20,
  rootFields: 20,
  fields: 1000,
  batch: 10,
};

export interface GraphQLSettings {
  readonly path: string;
  readonly introspection: boolean;
  readonly explorer: boolean;
  readonly bodyLimit: number;
  readonly limits: GraphQLLimits;
  readonly persistedOperations: PersistedOperations | null;
}

/** Options with everything filled in; throws a `RangeError` for one that cannot be used. */
export function settingsOf(options: SvcGraphQLOptions): GraphQLSettings {
  const development = options.development ?? process.env['NODE_ENV'] !== 'production';
  const persistedOperations = options.persistedOperations ?? null;
  const settings: GraphQLSettings = {
    path: options.path ?? '/graphql',
    introspection: options.introspection ?? development,
    // Its operations are the user's own, so it is of no use where only known ones are taken.
    explorer: options.explorer ?? (development && persistedOperations === null),
    bodyLimit: options.bodyLimit ?? 1024 * 1024,
    limits: { ...defaultLimits, ...options.limits },
    persistedOperations,
  };
  if (!settings.path.startsWith('/')) throw new RangeError(`path must start with /, not be "${settings.path}".`);
  const numbers = { bodyLimit: settings.bodyLimit, ...settings.limits };
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isSafeInteger(value) || value <= 0) {
      throw new RangeError(`${name} must be a whole number above 0, not ${value}.`);
    }
  }
  return settings;
}
