import { Type, type Static } from 'typebox';
import { OptionalText } from './common.js';

export const Session = Type.Object(
  {
    title: Type.String({ description: 'The name of the service.' }),
    user: Type.Object({ id: OptionalText, name: OptionalText }, { additionalProperties: false }),
    tenant: Type.Union([Type.String(), Type.Null()], {
      description: 'The tenant whose records the caller sees; null: all tenants.',
    }),
    isOperator: Type.Boolean({
      description: 'Whether the caller sees the state of the service, and not only the records of a tenant.',
    }),
    mayAct: Type.Boolean({ description: 'Whether the caller has the permission system:write.' }),
    isOpen: Type.Boolean({ description: 'Whether the service has no authentication.' }),
    databases: Type.Array(Type.String(), { description: 'The databases of the service, if it has several.' }),
    version: OptionalText,
    traceUrl: Type.Union([Type.String(), Type.Null()], {
      description: 'The address of a trace, with `{traceId}`; null: unknown.',
    }),
    svcVersion: Type.String(),
  },
  { additionalProperties: false },
);
export type Session = Static<typeof Session>;
