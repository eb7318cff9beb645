import { NoParameters, SearchQuery, SearchResult } from '../contract/index.js';
import { operation } from './operation.js';
import { timeOf } from './shown.js';

export const search = operation({
  method: 'GET',
  path: '/search',
  summary: 'What an id stands for: an event, command, stream, request, audit record, dead letter or user',
  right: 'read',
  params: NoParameters,
  query: SearchQuery,
  body: null,
  response: SearchResult,
  answer: async ({ service, query }) => {
    const matches = await service.administration.search.find(query.id);
    return { matches: matches.map(({ at, ...match }) => Object.assign(match, { at: timeOf(at) })) };
  },
});
