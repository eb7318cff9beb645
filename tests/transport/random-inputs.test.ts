/** For random command types: the schema takes every value the command can have, and the command it becomes is the one of REST. */
import { join } from 'node:path';
import type { GraphQLDescription } from '@svc/core/hosting';
import { Issues, parseJson, readOrThrow, type Reader, type Writer } from '@svc/core/json';
import { Generator, loadProject } from '@svc/generator';
import * as fc from 'fast-check';
import {
  buildSchema,
  coerceInputValue,
  getNullableType,
  isInputObjectType,
  isListType,
  validateSchema,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  fields,
  fieldsText,
  fieldValues,
  randomTypes,
  type Declare,
  type RandomField,
} from '../generator/random-types.js';
import { TemporaryProject } from '../generator/temporary-project.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
/** `SVC_TEST_RUNS=10` for ten times as many. */
const commandCount = 50 * Number(process.env['SVC_TEST_RUNS'] ?? 1);
const candidates = fc.sample(fields(randomTypes, 0), { seed, numRuns: commandCount });
const project = new TemporaryProject({}, 'random-inputs-');

/** Indexes of the commands that GraphQL can express: half of them have names it does not take. */
let expressible: number[] = [];
/** Commands that are refused although the others are gone. */
let leftOver: ReadonlySet<number>;
let description: GraphQLDescription;
let schema: GraphQLSchema;

beforeAll(async () => {
  const rejected = generate(candidates.map((_, i) => i));
  expressible = candidates.map((_, i) => i).filter((i) => !rejected.has(i));
  leftOver = generate(expressible);
  const generated = (await import(join(project.directory, 'src/generated/graphql.ts'))) as {
    graphql: GraphQLDescription;
  };
  description = generated.graphql;
  schema = buildSchema(description.sdl);
});
afterAll(() => project.remove());

describe(`random command types (SVC_TEST_SEED=${seed})`, () => {
  it('generate a valid schema', () => {
    expect(leftOver).toEqual(new Set());
    expect(expressible.length).toBeGreaterThan(commandCount / 6);
    expect(validateSchema(schema)).toEqual([]);
  });

  it(
    'generate a schema that accepts every value, and become the same command as over REST',
    { timeout: 120_000 },
    async () => {
      for (const i of expressible) {
        const { MessageClass, read, write } = await load(i);
        const type = schema.getMutationType()!.getFields()[`do${i}`]!.args[0]!.type;
        const check = fc.property(fieldValues(candidates[i]!), fc.infiniteStream(fc.boolean()), (values, choices) => {
          const body = write(Object.assign(new MessageClass(), values));
          const choose = (): boolean => choices.next().value === true;
          const input = inGraphQL(JSON.parse(body), type, choose);
          const faults: string[] = [];
          coerceInputValue(structuredClone(input), type, (_path, _value, error) => faults.push(error.message));
          if (!hasInheritedName(i)) expect(faults).toEqual([]);
          const issues = new Issues(input);
          const prepared = description.inputs[`do${i}`]?.(input, issues) ?? input;
          const command = read(prepared, issues);
          expect(issues.list).toEqual([]);
          expect(command).toEqual(readOrThrow(read, parseJson(body)));
        });
        fc.assert(check, { seed, numRuns: 20 });
      }
    },
  );
});

/** Where an object has none of these, graphql-js takes those of every object instead. */
function hasInheritedName(index: number): boolean {
  return /'(?:hasOwnProperty|toString|valueOf)'/.test(source(candidates[index]!, index, true));
}

/** A value of REST as a GraphQL client may write it: arms by key, and now and then an item for a list of one. */
function inGraphQL(value: unknown, type: GraphQLInputType, choose: () => boolean): unknown {
  const nullable = getNullableType(type);
  if (value === null || value === undefined) return value;
  if (isListType(nullable)) {
    const items = (value as unknown[]).map((item) => inGraphQL(item, nullable.ofType, choose));
    return items.length === 1 && items[0] !== null && !Array.isArray(items[0]) && choose() ? items[0] : items;
  }
  if (!isInputObjectType(nullable)) return value;
  const known = Object.values(nullable.getFields());
  if (nullable.isOneOf) {
    const { tag, ...rest } = value as Record<string, unknown>;
    const key = String(tag).replace(' ', '');
    return { [key]: inGraphQL(rest, nullable.getFields()[key]!.type, choose) };
  }
  const entries = known.map(({ name, type: fieldType }) => {
    const given = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    return [name, inGraphQL(given, fieldType, choose)] as const;
  });
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

/** Generates for some of the commands; answers with those that GraphQL cannot express. */
function generate(indexes: readonly number[]): Set<number> {
  for (const [i, list] of candidates.entries()) project.write(`src/do-${i}.ts`, source(list, i, indexes.includes(i)));
  const loaded = loadProject(project.directory);
  if ('code' in loaded) throw new Error(loaded.message);
  const { diagnostics } = new Generator(loaded).write();
  return new Set(
    diagnostics.map(({ code, file, message }) => {
      if (!code.startsWith('SVC15')) throw new Error(`${file} ${message}`);
      return Number(/do-(\d+)/.exec(file)?.[1]);
    }),
  );
}

function source(list: readonly RandomField[], index: number, isMutation: boolean): string {
  const declarations: string[] = [];
  const declare: Declare = (prefix, declaration) => {
    const name = `${prefix}${index}X${declarations.length}`;
    declarations.push(declaration(name));
    return name;
  };
  const body = fieldsText(list, declare, '!');
  return [
    `import { commandEndpoint } from '@svc/core';`,
    `import type { Command, Decimal, Format, Int, Max, MaxItems, MaxLength, Min, MinItems, MinLength, Pattern, Uuid } from '@svc/core';`,
    ...declarations,
    `@commandEndpoint<Do${index}, void>({ restRoute: '/do-${index}', graphQLMutation: ${isMutation ? `'do${index}'` : 'null'} })`,
    `export class Do${index} implements Command { ${body} }`,
  ].join('\n');
}

interface Loaded {
  readonly MessageClass: new () => object;
  readonly read: Reader<object>;
  readonly write: Writer<object>;
}

async function load(index: number): Promise<Loaded> {
  const types = (await import(join(project.directory, 'src', `do-${index}.ts`))) as Record<string, never>;
  const json = (await import(join(project.directory, 'src', 'generated', `do-${index}.json.ts`))) as Record<
    string,
    never
  >;
  return { MessageClass: types[`Do${index}`]!, read: json[`do${index}FromJson`]!, write: json[`writeDo${index}`]! };
}
