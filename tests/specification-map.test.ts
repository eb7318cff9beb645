import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const page = readFileSync(new URL('docs/reference/specification-map.md', root), 'utf8');
const rows = [...page.matchAll(/^\| (.+?) +\| `(\w+)` +\| `@svc\/(\w+)` +\| `(\S+)` +\|$/gm)].map(
  ([, specified = '', symbol = '', packageName = '', file = '']) => ({ specified, symbol, packageName, file }),
);

it('lists names of the specification', () => expect(rows.length).toBeGreaterThan(10));

it.each(rows)('exports $symbol for "$specified" from $packageName', ({ symbol, packageName, file }) => {
  const index = readFileSync(new URL(`packages/${packageName}/src/index.ts`, root), 'utf8');
  expect(index).toMatch(new RegExp(`\\b${symbol}\\b`));
  expect(readFileSync(new URL(file, root), 'utf8')).toMatch(
    new RegExp(`^export (?:abstract class|class|function|interface|type|const) ${symbol}\\b`, 'm'),
  );
});

it.each(['execute', 'onBeforeExecute', 'dispatchCommand', 'onAfterExecute', 'onError', 'mapRequestToCommand'])(
  'has the member %s that the page names',
  (member) => {
    expect(page).toContain(`\`${member}\``);
    const file = new URL('packages/core/src/endpoints/mutation-endpoint-base.ts', root);
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^  (?:protected |async )+${member}\\(`, 'm'));
  },
);
