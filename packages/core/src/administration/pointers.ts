/** How many pointers are returned: a body can have a text for each byte. */
const mostPointers = 1_000;
/** How long all pointers together may become: each is as long as its text is deep. */
const mostCharacters = 1_000_000;

/** The texts of a JSON document that match, by their JSON Pointers. At most 1,000, and fewer if they are long. */
export function pointersOf(json: string, matches: (value: string) => boolean): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const open: (readonly [pointer: string, value: unknown])[] = [['', JSON.parse(json)]];
  let characters = 0;
  // Not recursive: a document can be nested deeper than the stack allows.
  for (let next = open.pop(); next !== undefined && found.size < mostPointers; next = open.pop()) {
    const [pointer, value] = next;
    if (typeof value === 'string') {
      if (!matches(value)) continue;
      if ((characters += pointer.length) > mostCharacters) break;
      found.set(pointer, value);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value).toReversed()) {
        open.push([`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, item]);
      }
    }
  }
  return found;
}
