import { longestHeader, type HostRequest } from '@svc/http/hosting';

const response = 'application/graphql-response+json';

/** The media type of GraphQL over HTTP for clients that accept it, JSON for others. `Accept` is a preference: a long one is ignored. */
export function mediaTypeFor({ headers: { accept = '' } }: HostRequest): string {
  const isRequested = accept.length <= longestHeader && accept.includes(response);
  return isRequested ? `${response}; charset=utf-8` : 'application/json; charset=utf-8';
}
