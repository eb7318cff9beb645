import { Type, type Static } from 'typebox';
import { databaseQuery, OptionalNumber, OptionalText, OptionalTime } from './common.js';

export const SearchQuery = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 200, description: 'An id, or the id of a user.' }), ...databaseQuery },
  { additionalProperties: false },
);

export const Match = Type.Object(
  {
    kind: Type.Enum(['event', 'command', 'stream', 'correlation', 'record', 'deadLetter', 'user'], {
      description: '`record`: a record of the system stream.',
    }),
    id: Type.String(),
    type: Type.Union([Type.String(), Type.Null()], { description: 'The type of the message.' }),
    at: OptionalTime,
    streamId: OptionalText,
    position: OptionalNumber,
    correlationId: OptionalText,
  },
  { additionalProperties: false },
);
export type Match = Static<typeof Match>;

/** What an id stands for. */
export const SearchResult = Type.Object({ matches: Type.Array(Match) }, { additionalProperties: false });
export type SearchResult = Static<typeof SearchResult>;
