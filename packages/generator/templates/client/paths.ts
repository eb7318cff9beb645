/** A value as one part of a path. A URL parser would interpret `.` and `..`, even if they are encoded. */
export function pathPart(name: string, value: unknown): string {
  const text = textOf(value);
  if (/^\.{1,2}$/.test(text))
    throw new TypeError(`"${text}" cannot be sent as ${name}, because ${name} is a part of a path.`);
  return encodeURIComponent(text);
}

/** A value in a path or a query. */
export function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
