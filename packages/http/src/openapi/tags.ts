import type { Operation, PathItem, Tag } from './openapi-types.js';

/** Groups operations by the first part of their path that is no version and no parameter: `/v1/orders/cancel` is of `orders`. Clients and pages show them by group. */
export function withTags(paths: Readonly<Record<string, PathItem>>): Readonly<Record<string, PathItem>> {
  const tagged = Object.entries(paths).map(([path, { get, post }]): [string, PathItem] => {
    const tags = tagsOf(path);
    const add = (operation: Operation): Operation => ({ ...operation, tags });
    return [path, { ...(post !== undefined && { post: add(post) }), ...(get !== undefined && { get: add(get) }) }];
  });
  return Object.fromEntries(tagged);
}

/** The groups in alphabetical order. */
export function tagsIn(paths: Readonly<Record<string, PathItem>>): readonly Tag[] {
  const names = new Set(Object.keys(paths).flatMap(tagsOf));
  return [...names].toSorted().map((name) => ({ name, description: `The operations of ${name}.` }));
}

function tagsOf(path: string): readonly string[] {
  const part = path.split('/').find((text) => text !== '' && !text.startsWith('{') && !/^v\d+$/.test(text));
  return [part ?? 'API'];
}
