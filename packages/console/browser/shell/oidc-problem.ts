/** Why the user could not sign in at the issuer, and what to do. */
import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi';
import type { OidcSignIn } from '../../src/contract/index.js';
import { Problem } from '../api/problem.js';

const title = 'You are not signed in';

/** The page was opened with an answer that it did not ask for: in another tab, or by another site. */
export function notOurs(): Problem {
  return new Problem(401, { title, detail: 'The answer of the issuer is not for this tab. Sign in again.' });
}

export function insecurePage(): Problem {
  return new Problem(400, {
    title,
    detail: `Browsers permit this sign-in only on pages with https. Open the console at https://${location.host}.`,
  });
}

/** `origin`: where the endpoint is; null: the issuer names none that is safe. */
export function endpointProblem({ issuer }: OidcSignIn, name: string, origin: string | null): Problem {
  const reason = origin === null ? 'names no safe' : `has at ${origin} its`;
  const remedy =
    origin === null
      ? 'Check the setting oidc.issuer of the console.'
      : `Add "${origin}" to the setting oidc.origins of the console.`;
  return new Problem(400, { title, detail: `${issuer} ${reason} ${name}. ${remedy}` });
}

const advice: Readonly<Record<string, string>> = {
  access_denied:
    'You declined, or the issuer does not permit you to use the console. Sign in again, or ask its administrator.',
  invalid_client: 'Check the setting oidc.clientId of the console. At the issuer, it must be a public client.',
  invalid_grant: 'The sign-in took too long, or was used already. Sign in again.',
  invalid_scope: 'Check the setting oidc.scope of the console.',
  invalid_target: 'Check the setting oidc.resource of the console.',
  server_error: 'The issuer failed. Sign in again later.',
  temporarily_unavailable: 'The issuer has too much to do. Sign in again later.',
  unauthorized_client: 'At the issuer, the client of the console must be permitted to use authorization codes.',
};

/** What the issuer answered, or that it did not. */
export function issuerProblem({ issuer }: OidcSignIn, error: unknown): Problem {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const { error: code, error_description: description } = error;
    const answer = description === undefined ? code : `${code}, ${description}`;
    const remedy = advice[code] ?? 'Check the settings of the console at the issuer.';
    return new Problem(401, { title, detail: `${issuer} answered: ${answer}. ${remedy}` });
  }
  // `fetch` tells scripts no reason.
  if (error instanceof TypeError) {
    const detail = `The page cannot reach ${issuer}. The issuer is down, or does not permit requests of ${location.origin} (CORS).`;
    return new Problem(0, { title, detail: `${detail} Sign in again when this is fixed.` });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new Problem(401, {
    title,
    detail: `The answer of ${issuer} is not valid: ${reason}. Check the setting oidc.issuer of the console.`,
  });
}
