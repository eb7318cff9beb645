import { Type, type Static } from 'typebox';
import { databaseQuery, Document, Id, OptionalText, Time } from './common.js';

export const ModelStatus = Type.Enum(['known', 'none', 'tooLong', 'failed', 'shared'], {
  description:
    '`none`: the event belongs to no model. `tooLong`: the model has more events than the console applies. `failed`: the perspective cannot apply them. `shared`: it has data of other tenants.',
});

const common = {
  perspective: Type.String(),
  key: OptionalText,
  status: ModelStatus,
  error: OptionalText,
  events: Type.Number({ description: 'How many events were applied, without those in the snapshot.' }),
  streams: Type.Number({
    description: 'How many streams these events are from. Above 1: the model depends on others.',
  }),
  fromSnapshot: Type.Boolean({ description: 'Whether the events were applied to a stored snapshot.' }),
};

const OptionalDocument = Type.Union([Document, Type.Null()], { description: 'Null: there is no model.' });

/** The model of a perspective before and after an event. */
export const ModelChange = Type.Object(
  { ...common, before: OptionalDocument, after: OptionalDocument },
  { additionalProperties: false },
);
export type ModelChange = Static<typeof ModelChange>;

export const EventModels = Type.Object({ models: Type.Array(ModelChange) }, { additionalProperties: false });
export type EventModels = Static<typeof EventModels>;

/** The model of a perspective at a position of a stream. */
export const StreamModel = Type.Object({ ...common, model: OptionalDocument }, { additionalProperties: false });
export type StreamModel = Static<typeof StreamModel>;

export const StreamModelsQuery = Type.Object(
  {
    position: Type.Optional(Type.Integer({ minimum: 0, description: 'Default: the last position.' })),
    ...databaseQuery,
  },
  { additionalProperties: false },
);

export const StreamModels = Type.Object(
  {
    position: Type.Number(),
    eventId: Id,
    at: Time,
    models: Type.Array(StreamModel),
    isComplete: Type.Boolean({ description: 'Whether these are all models that have events of the stream.' }),
  },
  { additionalProperties: false },
);
export type StreamModels = Static<typeof StreamModels>;
