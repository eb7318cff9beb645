import { Type, type Static } from 'typebox';
import { OptionalText } from './common.js';

export const OidcSignIn = Type.Object(
  {
    issuer: Type.String(),
    clientId: Type.String(),
    scope: Type.String(),
    resource: Type.Union([Type.String(), Type.Null()], { description: 'For which API the access token is.' }),
    parameters: Type.Record(Type.String(), Type.String(), {
      description: 'Further parameters of the authorization request.',
    }),
    origins: Type.Array(Type.String(), {
      description: 'The origins to which the page may connect, that of the issuer too.',
    }),
  },
  { additionalProperties: false },
);
export type OidcSignIn = Static<typeof OidcSignIn>;

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
    oidc: Type.Union([OidcSignIn, Type.Null()], {
      description: 'The OpenID Connect issuer at which users sign in; null: they have a credential.',
    }),
  },
  { additionalProperties: false },
);
export type SignIn = Static<typeof SignIn>;
