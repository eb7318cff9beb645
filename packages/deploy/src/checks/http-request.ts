import { withoutCredentials } from '../credentials.js';
import { messageOf } from '../deploy-error.js';

/** Sends a request, with the credentials of the URL as Basic authorization. Throws if there is no response. */
export async function request(address: string | URL, init: RequestInit): Promise<Response> {
  const { url, headers } = withoutCredentials(address);
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
  try {
    return await fetch(url, { ...init, headers });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`${url.origin} does not answer: ${messageOf(cause)}`, { cause: error });
  }
}
