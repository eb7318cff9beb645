/** A model and its key. */
export interface LiveModel<TModel> {
  readonly key: string;
  readonly model: TModel;
}

/** A change of the first page of a list. */
export type LiveChange<TModel> =
  /** All models, in their order. They replace all earlier ones. */
  | { readonly kind: 'page'; readonly models: readonly LiveModel<TModel>[] }
  /** A model that is new, has changed or has moved. It is behind the model with the key `after`; null: at the beginning. */
  | { readonly kind: 'upsert'; readonly key: string; readonly after: string | null; readonly model: TModel }
  /** A model that was deleted, or is no longer on the page. */
  | { readonly kind: 'remove'; readonly key: string };

/** The models after a change, in their order. */
export function applied<TModel>(
  models: readonly LiveModel<TModel>[],
  change: LiveChange<TModel>,
): readonly LiveModel<TModel>[] {
  if (change.kind === 'page') return change.models;
  const others = models.filter(({ key }) => key !== change.key);
  if (change.kind === 'upsert') {
    const at = change.after === null ? 0 : others.findIndex(({ key }) => key === change.after) + 1;
    others.splice(at, 0, { key: change.key, model: change.model });
  }
  return others;
}

/** The keys after some changes. */
export function keysAfter(keys: ReadonlySet<string>, changes: readonly LiveChange<unknown>[]): ReadonlySet<string> {
  const after = new Set(keys);
  for (const change of changes) {
    if (change.kind === 'page') {
      after.clear();
      for (const { key } of change.models) after.add(key);
    } else if (change.kind === 'upsert') after.add(change.key);
    else after.delete(change.key);
  }
  return after;
}
