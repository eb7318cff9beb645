/**
 * Writes a JSON value in the canonical form of RFC 8785: without spaces, keys sorted by their UTF-16 code units, numbers and strings as
 * ECMAScript writes them. Absent properties are omitted.
 */
export function canonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item ?? null)).join(',')}]`;
  const members: string[] = [];
  for (const key of Object.keys(value).toSorted()) {
    const item = (value as Readonly<Record<string, unknown>>)[key];
    if (item !== undefined) members.push(`${JSON.stringify(key)}:${canonicalText(item)}`);
  }
  return `{${members.join(',')}}`;
}
