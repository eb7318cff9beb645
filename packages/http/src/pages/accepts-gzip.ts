/** Whether a client accepts responses that are compressed with gzip, by its `Accept-Encoding`. */
export function acceptsGzip(header: string | readonly string[] | undefined): boolean {
  const entries = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()));
  const entry = entries.find(([name]) => name === 'gzip') ?? entries.find(([name]) => name === '*');
  return entry !== undefined && !entry.slice(1).some((part) => part.startsWith('q=') && Number(part.slice(2)) === 0);
}
