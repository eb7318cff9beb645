import type { FastifyRequest } from 'fastify';

const response = 'application/graphql-response+json';

/** The media type of GraphQL over HTTP for clients that ask for it, JSON for all others. */
export function mediaTypeFor({ headers }: FastifyRequest): string {
  return headers.accept?.includes(response) === true ? `${response}; charset=utf-8` : 'application/json; charset=utf-8';
}
