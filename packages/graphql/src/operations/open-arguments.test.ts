import { buildSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { argumentValue, openArguments } from './open-arguments.js';

const schema = buildSchema(`
  type Query { orders(filter: Filter): String }
  type Mutation { send(command: Sent!): String }
  input Sent { lines: [Line!]! }
  input Line { name: String }
  input Filter { name: [String] }
`);

it('builds the argument of a mutation on demand, with a copy for each use of a variable', () => {
  const document = parse('mutation ($line: Line!) { send(command: { lines: [$line, $line] }) }');
  const { svc_0: pending } = openArguments(document, schema, 1_000).variablesOf({ line: { name: 'a' } });
  expect(pending).toBeTypeOf('function');
  const { lines } = argumentValue(pending) as { lines: object[] };
  expect(lines).toEqual([{ name: 'a' }, { name: 'a' }]);
  expect(lines[0]).not.toBe(lines[1]);
});

it('passes the filter of a query as plain data, which the published schema accepts as well', () => {
  const document = parse('query ($name: String) { orders(filter: { name: [$name, $name] }) }');
  const { svc_0: filter } = openArguments(document, schema, 1_000).variablesOf({ name: 'a' });
  expect(filter).toEqual({ name: ['a', 'a'] });
});

it('rejects variables that exceed the body limit, counted for every use', () => {
  const document = parse('mutation ($line: Line!) { send(command: { lines: [$line, $line] }) }');
  const { variablesOf } = openArguments(document, schema, 40);
  expect(() => variablesOf({ line: { name: '12345678' } })).not.toThrow();
  expect(() => variablesOf({ line: { name: '12345678901' } })).toThrow(
    'The variables have more than 40 characters, "$line" counted for each of its 2 uses.',
  );
});
