import { NoParameters, SignIn } from '../contract/index.js';
import { operation } from './operation.js';

export const signIn = operation({
  method: 'GET',
  path: '/sign-in',
  summary: 'How callers authenticate',
  right: null,
  params: NoParameters,
  query: NoParameters,
  body: null,
  response: SignIn,
  answer: async ({ service, title, oidc }) => ({
    title,
    oidc,
    schemes: service.access.authenticators.map(({ scheme, header = null, description = null }) => ({
      scheme,
      header,
      description,
    })),
  }),
});
