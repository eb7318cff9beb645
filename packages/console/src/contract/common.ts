/** The parts that several responses of the API have. */
import { Type, type Static } from 'typebox';

const uuidPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

export const Id = Type.String({ pattern: uuidPattern, description: 'A UUID in lower case.' });

export const Time = Type.String({ format: 'date-time', description: 'A time in UTC, in the format of RFC 3339.' });

export const OptionalText = Type.Union([Type.String(), Type.Null()]);
export const OptionalTime = Type.Union([Time, Type.Null()]);
export const OptionalNumber = Type.Union([Type.Number(), Type.Null()]);

/** Why an operator acts. It is recorded. */
export const Reason = Type.String({ minLength: 1, maxLength: 500, description: 'Why. It is recorded.' });

/** The name of the database, in a service with several. */
export const databaseQuery = {
  database: Type.Optional(
    Type.String({ maxLength: 100, description: 'The database, in a service with several. Default: the first.' }),
  ),
};

/** Where a page starts, and how long it is. */
export const pageQuery = {
  after: Type.Optional(Type.String({ maxLength: 200, description: 'The `next` of the previous page.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default: 50.' })),
};

/** What every page has: the `after` of the next page. */
export const Next = Type.Union([Type.String(), Type.Null()], {
  description: 'The `after` of the next page; null: none.',
});

/** The query of pages of one database. */
export const PageQuery = Type.Object({ ...databaseQuery, ...pageQuery }, { additionalProperties: false });

/** The path of something with a name. */
export const NamePath = Type.Object({ name: Type.String({ maxLength: 200 }) }, { additionalProperties: false });

/** The path of something with an id. */
export const IdPath = Type.Object({ id: Id }, { additionalProperties: false });

/** The body of a change that needs only a reason. */
export const ReasonBody = Type.Object({ reason: Reason }, { additionalProperties: false });

export const NoParameters = Type.Object({}, { additionalProperties: false });
export type NoParameters = Static<typeof NoParameters>;

/** A JSON document. A large one is shown in part. */
export const Document = Type.Object(
  {
    value: Type.Unknown({ description: 'The document; null if it is too large.' }),
    excerpt: Type.Union([Type.String(), Type.Null()], {
      description: 'The beginning of the text of a large document.',
    }),
    bytes: Type.Number(),
    isComplete: Type.Boolean({ description: 'Whether `value` has all of it.' }),
  },
  { additionalProperties: false },
);
export type Document = Static<typeof Document>;

/** The query of an operation that has only a database. */
export const DatabaseQuery = Type.Object(databaseQuery, { additionalProperties: false });
export type DatabaseQuery = Static<typeof DatabaseQuery>;
