/** The map has every row of the specification, with symbols that are exported and tests that run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { faultsOf, rowsOf } from './map-page.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/reference/specification-map.md'), 'utf8');

/** The sections of the specification in its order, with their number of rows and rules. Records have a row more for their required fields. */
const sections: readonly (readonly [string, number])[] = [
  ['What the service does', 5],
  ['Deployment practice', 13],
  ['Command endpoint attribute', 5],
  ['Generated endpoint class', 6],
  ['Mutation context (passed to every hook)', 2],
  ['Audit-exclusion attribute', 2],
  ['SystemEventOptions', 8],
  ['System event stream constants', 3],
  ['Other fixed values', 9],
  ['Migration enums', 14],
  ['Types referenced but not defined', 6],
  ['Hook lifecycle of a generated endpoint', 7],
  ['Migration status', 1],
  ['Generated REST mutation endpoint (one per command with a REST route)', 12],
  ['Hook signatures (overridable, all protected)', 6],
  ['Programmatic registration operations', 5],
  ['Options methods (fluent, inside the options callback)', 8],
  ['System event emitter operations', 6],
  ['Event store auditing decorator', 5],
  ['Command audit pipeline behavior', 5],
  ['Transport publish filter', 2],
  ['Health checks contributed to the host pipeline', 5],
  ['Authentication', 2],
  ['Events', 4],
  ['Emission rules', 13],
  ['EventAudited', 15],
  ['CommandAudited', 15],
  ['ScopeContextEstablished', 7],
  ['PermissionChanged', 11],
  ['AccessGranted', 8],
  ['AccessDenied', 10],
  ['Perspective rebuild and rewind events', 34],
  ['Migration events', 27],
  ['Errors', 7],
  ['Limits', 2],
  ['Versioning', 1],
];

describe('docs/reference/specification-map.md', () => {
  it('has every section of the specification in its order, with all its rows', () => {
    const counted = new Map<string, number>();
    for (const { section } of rowsOf(page)) counted.set(section, (counted.get(section) ?? 0) + 1);
    expect([...counted]).toEqual(sections);
  });

  it('has for each row a symbol that is exported, and a proof that exists and runs', () => {
    expect(faultsOf(root, page)).toEqual([]);
  });
});
