import type { AskedModels } from '../read/asked-models.js';
import type { VisibleModels } from '../read/model-access.js';

/** A live query of a caller: the first models that it may see, in their order, at most `limit`. */
export interface LiveQuery extends VisibleModels, Pick<AskedModels, 'where' | 'sort' | 'limit'> {
  /** Only the model with this key. */
  readonly key?: string;
}
