import { ValidationError, type Uuid } from '@svc/core';
import { Value } from 'typebox/value';
import { Id } from '../contract/index.js';

interface PageQuery {
  readonly after?: string;
  readonly limit?: number;
}

/** The page of a query whose keys are ids. */
export function pageOf({ after, limit }: PageQuery): { after?: Uuid; limit?: number } {
  if (after !== undefined && !Value.Check(Id, after)) throw notANext('a UUID in lower case');
  return { ...(after !== undefined && { after: after as Uuid }), ...(limit !== undefined && { limit }) };
}

/** The page of a query whose keys are counts. */
export function countedPageOf({ after, limit }: PageQuery): { after?: number; limit?: number } {
  if (after !== undefined && !/^\d{1,9}$/.test(after)) throw notANext('a number');
  return { ...(after !== undefined && { after: Number(after) }), ...(limit !== undefined && { limit }) };
}

function notANext(what: string): ValidationError {
  return new ValidationError([{ pointer: '/after', detail: `Must be ${what}: the next of the previous page.` }]);
}
