import { Type, type Static } from 'typebox';
import { AuditEntry } from './audit.js';
import { Id, OptionalText } from './common.js';
import { Origin } from './events.js';

export const ChainNode = Type.Object(
  {
    id: Type.String({ description: 'The id of its audit record.' }),
    entry: AuditEntry,
    origin: Type.Union([Origin, Type.Null()], { description: 'Null: it is of this service.' }),
    traceId: OptionalText,
  },
  { additionalProperties: false },
);
export type ChainNode = Static<typeof ChainNode>;

export const ChainParameters = Type.Object({ correlation: Id }, { additionalProperties: false });

/** What a request caused, in all streams: the oldest first. */
export const Chain = Type.Object(
  {
    correlationId: Id,
    nodes: Type.Array(ChainNode),
    edges: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }, { additionalProperties: false }), {
      description: 'From the node of a cause to that of its consequence.',
    }),
    isComplete: Type.Boolean({ description: 'False: it has further nodes.' }),
  },
  { additionalProperties: false },
);
export type Chain = Static<typeof Chain>;
