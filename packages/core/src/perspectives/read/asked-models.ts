import type { ModelQuery, ModelSort } from '../../storage/index.js';
import type { VisibleModels } from './model-access.js';

/** A validated request for a list, before the models are limited to those that the caller may see. */
export type AskedModels = Omit<ModelQuery, keyof VisibleModels | 'where' | 'sort'> &
  Required<Pick<ModelQuery, 'where'>> & { readonly sort: ModelSort };
