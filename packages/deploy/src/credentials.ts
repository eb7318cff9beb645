/** Moves the credentials of a URL to a header: `fetch` rejects a URL with credentials and repeats them in its error. */
export function withoutCredentials(address: string | URL): { readonly url: URL; readonly headers: Headers } {
  const url = urlOf(address);
  const headers = new Headers();
  if (url.username !== '' || url.password !== '') {
    const login = `${decoded(url.username)}:${decoded(url.password)}`;
    headers.set('authorization', `Basic ${Buffer.from(login).toString('base64')}`);
  }
  url.username = '';
  url.password = '';
  return { url, headers };
}

function urlOf(address: string | URL): URL {
  try {
    return new URL(address);
  } catch {
    // It may contain a password: do not repeat it.
    throw new Error('the address is not a valid URL');
  }
}

/** Decodes percent escapes. A literal percent sign, which URLs allow, stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
