/** The `servers` of the document: those that are configured, or the prefix of the plugin on any host. */
export function serverUrls(
  configured: readonly string[] | undefined,
  prefix: string,
): readonly { readonly url: string }[] {
  if (configured === undefined) return [{ url: prefix === '' ? '/' : prefix }];
  if (configured.length === 0) throw new RangeError('openapi.servers is empty. Name at least one URL, or omit it.');
  return configured.map((url) => {
    if (isUsable(url)) return { url };
    throw new RangeError(
      `openapi.servers has ${JSON.stringify(url)}. Use an http: or https: URL without query and fragment, or a path that begins with "/".`,
    );
  });
}

/** A URL to which a path can be appended. */
function isUsable(url: string): boolean {
  if (/[?#\s]/.test(url)) return false;
  if (url.startsWith('/')) return !url.startsWith('//');
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}
