/** The options of `graphQL`. */
export interface GraphQLOptions {
  /** The path for operations. Default: `/graphql`. */
  readonly path?: string;
  /** The default of `introspection` and `explorer`. Default: true unless `NODE_ENV` is `production`. */
  readonly development?: boolean;
  /** Whether introspection is allowed. Default: in development. */
  readonly introspection?: boolean;
  /** Whether a browser that opens the path gets the explorer. Default: in development. */
  readonly explorer?: boolean;
  /** The largest body, in bytes; also the limit of variables, counted for every use, in characters. Default: 1 MiB. */
  readonly bodyLimit?: number;
  /** The limits of operations. */
  readonly limits?: Partial<GraphQLLimits> & {
    /** The limits of callers without a credential, in a service with authentication. Default: smaller, and never above the general ones. */
    readonly anonymous?: Partial<GraphQLLimits>;
  };
  /** Operations by id, which clients send instead of texts. Default: none. */
  readonly persistedOperations?: PersistedOperations;
}

/** The limits of a request. svc rejects a larger one before it validates it; of `models`, the lists fail that exceed it. */
export interface GraphQLLimits {
  /** Tokens of a document. Default: 1,000. */
  readonly tokens: number;
  /** Characters of a document. Default: 20,000. */
  readonly characters: number;
  /** Nesting of fields. Default: 15. */
  readonly depth: number;
  /** Aliases of an operation, fragments expanded. Default: 20. */
  readonly aliases: number;
  /** Queries or mutations in one operation, fragments expanded. Default: 20. */
  readonly rootFields: number;
  /** All fields of an operation, fragments expanded. Default: 1,000. */
  readonly fields: number;
  /** Models that the lists of one request ask for, those of a batch together: the sum of their page sizes. Default: 1,000. */
  readonly models: number;
  /** Operations in one request. Default: 10. */
  readonly batch: number;
}

/** The operations that clients can send by id. */
export interface PersistedOperations {
  /** The text of an operation by its id: a table, or a function that looks it up. */
  readonly operations: Readonly<Record<string, string>> | ((id: string) => string | null | Promise<string | null>);
  /** Whether svc rejects all other operations. Default: true. */
  readonly only?: boolean;
}

export const defaultLimits: GraphQLLimits = {
  tokens: 1000,
  characters: 20_000,
  depth: 15,
  aliases: 20,
  rootFields: 20,
  fields: 1000,
  models: 1000,
  batch: 10,
};

export const defaultAnonymousLimits: GraphQLLimits = {
  tokens: 300,
  characters: 4000,
  depth: 8,
  aliases: 5,
  rootFields: 5,
  fields: 300,
  models: 500,
  batch: 2,
};

export interface GraphQLSettings {
  readonly path: string;
  readonly introspection: boolean;
  readonly explorer: boolean;
  readonly bodyLimit: number;
  readonly limits: GraphQLLimits;
  /** The limits of callers without a credential, in a service with authentication. */
  readonly anonymous: GraphQLLimits;
  readonly persistedOperations: PersistedOperations | null;
}

/** The options with their defaults; throws a `RangeError` for an invalid one. */
export function settingsOf(options: GraphQLOptions): GraphQLSettings {
  const { anonymous = {}, ...given } = options.limits ?? {};
  const limits = { ...defaultLimits, ...given };
  const development = options.development ?? process.env['NODE_ENV'] !== 'production';
  const persistedOperations = options.persistedOperations ?? null;
  const settings: GraphQLSettings = {
    path: options.path ?? '/graphql',
    introspection: options.introspection ?? development,
    // The explorer sends arbitrary operations, so it is useless with persisted operations only.
    explorer: options.explorer ?? (development && persistedOperations === null),
    bodyLimit: options.bodyLimit ?? 1024 * 1024,
    limits,
    anonymous: { ...smallerOf(defaultAnonymousLimits, limits), ...anonymous },
    persistedOperations,
  };
  if (!settings.path.startsWith('/')) throw new RangeError(`path must start with /, but is "${settings.path}".`);
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
