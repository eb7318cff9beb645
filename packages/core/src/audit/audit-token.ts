/**
 * The end of a page of the audit as an opaque string. It belongs to one query: another one rejects it. It contains no tenant, so a caller that
 * forges it only gets another place among the records it may read.
 */
import { createHash } from 'node:crypto';
import type { AuditPlace } from '../storage/index.js';
import { sourcesOf, typesOf, type AuditQuery } from './audit-query.js';

const longestToken = 500;

/** The last place of each source that a page has reached; null: none. */
export type AuditPlaces = readonly (AuditPlace | null)[];

export function writeAuditToken(query: AuditQuery, places: AuditPlaces): string {
  const written = places.map((place) => (place === null ? null : [place.time, place.order]));
  return Buffer.from(JSON.stringify([nameOf(query), ...written])).toString('base64url');
}

/** Undefined if the string is not a token of this query. */
export function readAuditToken(query: AuditQuery, token: string): AuditPlaces | undefined {
  if (token.length > longestToken || !/^[\w-]+$/.test(token)) return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    if (!Array.isArray(read)) return undefined;
    const [name, ...places] = read as unknown[];
    if (name !== nameOf(query) || places.length !== sourcesOf(query).length || !places.every(isPlace)) return undefined;
    return places.map((place) => (place === null ? null : { time: place[0], order: place[1] }));
  } catch {
    return undefined;
  }
}

function isPlace(value: unknown): value is readonly [number, number] | null {
  return value === null || (Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger));
}

function nameOf(query: AuditQuery): string {
  const { resource, tenant, user, correlation, message, level, from, to, first = 'newest' } = query;
  const conditions = [resource, tenant, user, correlation, message, typesOf(query), level, from, to, first];
  return createHash('sha256').update(JSON.stringify(conditions)).digest('base64url').slice(0, 12);
}
