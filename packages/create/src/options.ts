/** What a new service uses. */
export interface ServiceOptions {
  readonly database: Database;
  readonly authentication: Authentication;
  readonly graphql: boolean;
  /** Whether it exchanges messages over RabbitMQ. */
  readonly broker: boolean;
}

export const databases = ['sqlite', 'postgres'] as const;
export type Database = (typeof databases)[number];

export const authentications = ['none', 'jwt'] as const;
export type Authentication = (typeof authentications)[number];

/** The names of conditions in templates that hold for a service. */
export function conditionsOf(options: ServiceOptions): ReadonlySet<string> {
  const { database, authentication, graphql, broker } = options;
  return new Set<string>([
    database,
    authentication,
    ...(graphql ? ['graphql'] : []),
    ...(broker ? ['broker'] : []),
    ...(broker || database === 'postgres' ? ['compose'] : []),
  ]);
}
