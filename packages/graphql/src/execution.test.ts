import { expect, it, vi } from 'vitest';
import { executor } from './execution.js';
import { PreparedDocuments } from './operations/index.js';
import { settingsOf } from './options.js';
import type { RequestContext } from './request-context.js';
import { serviceSchema } from './schema/index.js';

const sdl = 'type Query { service: String! }';

/** Prepares and executes; counts introspections, and how often an operation was executed or compiled by walking its document. */
function executing(usesBeforeCompilation = 1) {
  const schema = serviceSchema(
    { sdl, inputs: {}, fields: {}, unions: {} },
    { mutations: new Map(), queries: new Map(), subscriptions: null },
    'x',
  );
  const settings = settingsOf({ development: true });
  const rules = { limits: settings.limits, size: 10, usesBeforeCompilation };
  const documents = new PreparedDocuments(schema.published, settings, rules);
  const { execute } = executor(schema);
  const walks = vi.spyOn(schema.executed, 'getRootType');
  const looks = vi.spyOn(schema.published, 'getQueryType');
  return async (text: string, variables = {}) => {
    const operation = documents.operation(text, null);
    looks.mockClear();
    const { data } = await execute(operation, variables, {} as RequestContext);
    return { data, looks: looks.mock.calls.length, walks: walks.mock.calls.length };
  };
}

it('caches the result of an identical introspection', async () => {
  const run = executing();
  const text = '{ __schema { a: queryType { name } b: queryType { name } } }';
  const first = await run(text);
  const again = await run(text);
  expect(first.looks).toBeGreaterThan(again.looks);
  expect(again.data).toBe(first.data);
  expect(again.data).toEqual({ __schema: { a: { name: 'Query' }, b: { name: 'Query' } } });
});

it('executes an introspection with variables or other fields each time', async () => {
  const run = executing();
  const byName = 'query ($name: String!) { __type(name: $name) { name } }';
  expect((await run(byName, { name: 'Query' })).data).toEqual({ __type: { name: 'Query' } });
  expect((await run(byName, { name: 'String' })).data).toEqual({ __type: { name: 'String' } });
  const more = '{ __schema { queryType { name } } service }';
  expect((await run(more)).data).not.toBe((await run(more)).data);
});

it.each([1, 10])('compiles an operation after %i uses', async (uses) => {
  const run = executing(uses);
  for (let i = 1; i <= uses; i++) expect((await run('{ service }')).walks).toBe(i);
  const { walks } = await run('{ service }');
  for (let i = 0; i < 50; i++) expect(await run('{ service }')).toMatchObject({ data: { service: 'x' }, walks });
  expect((await run('{ again: service }')).walks, 'another operation').toBe(walks + 1);
});
