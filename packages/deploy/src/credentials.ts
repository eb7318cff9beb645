/**
 * An address without the user and password in it, and the header to send in their place: `fetch` refuses an address with credentials, and its
 * error repeats them.
 */
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
    // It may hold a password: it is not repeated.
    throw new Error('the address is not a URL');
  }
}

/** A percent sign that stands for itself, as URLs let it, is taken so. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
