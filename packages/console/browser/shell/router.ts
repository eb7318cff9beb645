/** Where the user is: `#/audit?user=ann`. The hash works behind every prefix, and contains all filters. */
import { computed, signal } from '@preact/signals';

export interface Place {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

const hash = signal(location.hash);

addEventListener('hashchange', () => {
  hash.value = location.hash;
});

/** The current place. */
export const place = computed((): Place => placeOf(hash.value));

export function placeOf(text: string): Place {
  const [path = '', query = ''] = text.replace(/^#\/?/, '').split('?', 2);
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** The address of a place: `href(['streams', id], { position: 3 })`. Empty values are left out. */
export function href(path: readonly string[], query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '' && value !== false) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

export function go(to: string): void {
  location.hash = to;
}

/** Changes the whole address of the page, and with it the place, without an entry in the history. */
export function restore(address: string): void {
  history.replaceState(null, '', address);
  hash.value = location.hash;
}

/** Changes the filters of the current place. The history has one entry per place, so that "back" leaves it. */
export function setQuery(query: Query): void {
  restore(href(place.value.path, { ...Object.fromEntries(place.value.query), ...query }));
}

/** A part of an address that an editor has damaged is used as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
