import { Type, type Static } from 'typebox';
import { OptionalText } from './common.js';

export const SignIn = Type.Object(
  {
    title: Type.String({ description: 'The name of the service.' }),
    schemes: Type.Array(
      Type.Object(
        {
          scheme: Type.String({ description: 'The scheme of the credential: `Bearer`.' }),
          header: Type.Union([Type.String(), Type.Null()], {
            description: 'The header that contains the credential; null: `authorization`, after the scheme.',
          }),
          description: OptionalText,
        },
        { additionalProperties: false },
      ),
      { description: 'The kinds of credentials that the service accepts. Empty: it has no authentication.' },
    ),
  },
  { additionalProperties: false },
);
export type SignIn = Static<typeof SignIn>;
