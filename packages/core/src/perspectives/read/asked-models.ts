import type { ModelQuery, ModelSort } from '../../storage/index.js';
import type { VisibleModels } from './model-access.js';

/** What is asked of a list, for any caller. */
export type AskedModels = Omit<ModelQuery, keyof VisibleModels | 'where' | 'sort'> &
  Required<Pick<ModelQuery, 'where'>> & { readonly sort: ModelSort };
