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
  readonly limits?: Partial<GraphQLLimits> & {
    /** For callers without a credential, where the service has authentication. Default: smaller ones, never above those of others. */
    readonly anonymous?: Partial<GraphQLLimits>;
  };
  /** Operations that are known beforehand; clients send their ids. Default: none, clients send texts. */
  readonly persistedOperations?: PersistedOperations;
}

/** How large a request may be. What is larger is rejected before it is validated. */
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

export const defaultAnonymousLimits: GraphQLLimits = {
  tokens: 300,
  characters: 4000,
  depth: 8,
  aliases: 5,
  rootFields: 5,
  fields: 300,
  batch: 2,
};

export interface GraphQLSettings {
  readonly path: string;
  readonly introspection: boolean;
  readonly explorer: boolean;
  readonly bodyLimit: number;
  readonly limits: GraphQLLimits;
  /** The limits of callers without a credential, where the service has authentication. */
  readonly anonymous: GraphQLLimits;
  readonly persistedOperations: PersistedOperations | null;
}

/** Options with everything filled in; throws a `RangeError` for one that cannot be used. */
export function settingsOf(options: SvcGraphQLOptions): GraphQLSettings {
  const { anonymous = {}, ...given } = options.limits ?? {};
  const limits = { ...defaultLimits, ...given };
  const development = options.development ?? process.env['NODE_ENV'] !== 'production';
  const persistedOperations = options.persistedOperations ?? null;
  const settings: GraphQLSettings = {
    path: options.path ?? '/graphql',
    introspection: options.introspection ?? development,
    // Its operations are the user's own, so it is of no use where only known ones are taken.
    explorer: options.explorer ?? (development && persistedOperations === null),
    bodyLimit: options.bodyLimit ?? 1024 * 1024,
    limits,
    anonymous: { ...smallerOf(defaultAnonymousLimits, limits), ...anonymous },
    persistedOperations,
  };
  if (!settings.path.startsWith('/')) throw new RangeError(`path must start with /, not be "${settings.path}".`);
  requirePositive({ bodyLimit: settings.bodyLimit }, '');
  requirePositive(settings.limits, 'limits.');
  requirePositive(settings.anonymous, 'limits.anonymous.');
  for (const name of limitNames) {
    if (settings.anonymous[name] <= limits[name]) continue;
    throw new RangeError(
      `limits.anonymous.${name} (${settings.anonymous[name]}) must not exceed limits.${name} (${limits[name]}).`,
    );
  }
  return settings;
}

const limitNames = Object.keys(defaultLimits) as (keyof GraphQLLimits)[];

function smallerOf(one: GraphQLLimits, other: GraphQLLimits): GraphQLLimits {
  const smaller: Record<keyof GraphQLLimits, number> = { ...one };
  for (const name of limitNames) smaller[name] = Math.min(one[name], other[name]);
  return smaller;
}

function requirePositive(numbers: object, prefix: string): void {
  for (const [name, value] of Object.entries(numbers) as [string, number][]) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new RangeError(`${prefix}${name} must be a whole number above 0, not ${value}.`);
  }
}
