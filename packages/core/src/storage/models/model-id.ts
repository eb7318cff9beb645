/** The id of a model that has an owner: its key, then its owner. */

/** Separates the two. No owner contains it. */
export const ownerSeparator = '\u001f';

export function modelIdOf(key: string, owner: string): string {
  return `${key}${ownerSeparator}${owner}`;
}

/** The key in the id of a model; the id itself where models have no owners. */
export function keyOfModelId(id: string): string {
  const end = id.lastIndexOf(ownerSeparator);
  return end === -1 ? id : id.slice(0, end);
}
