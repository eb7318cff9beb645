/** For random models: the schema answers with every value a model can have, as REST does. */
import { join } from 'node:path';
import { newId, type Service } from '@svc/core';
import { wrap } from '@svc/core/testing';
import { svc } from '@svc/fastify';
import { Generator, loadProject } from '@svc/generator';
import { graphQL } from '@svc/graphql';
import * as fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { buildSchema, validateSchema, type GraphQLSchema } from 'graphql';
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
import { wholeAnswer, wholeSelection } from './whole-answers.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
/** `SVC_TEST_RUNS=10` for ten times as many. */
const modelCount = 30 * Number(process.env['SVC_TEST_RUNS'] ?? 1);
const valuesOfEach = 4;
const candidates = fc.sample(fields(randomTypes, 1), { seed, numRuns: modelCount });
const project = new TemporaryProject({}, 'random-models-');

/** Indexes of the models that GraphQL can express: half of them have names it does not take. */
let expressible: number[] = [];
/** Models that are refused although the others are gone. */
let leftOver: ReadonlySet<number>;
let service: Service;
let app: FastifyInstance;
let schema: GraphQLSchema;

beforeAll(async () => {
  const rejected = generate(candidates.map((_, i) => i));
  expressible = candidates.map((_, i) => i).filter((i) => !rejected.has(i));
  leftOver = generate(expressible);
  project.write(
    'src/service.ts',
    "import { createService, InMemoryStorage } from '@svc/core';\nimport { registry } from './generated/registry.js';\nexport const service = createService(registry).useStorage(new InMemoryStorage()).addServicePerspectives();\n",
  );
  ({ service } = (await import(join(project.directory, 'src/service.ts'))) as { service: Service });
  app = Fastify();
  // Random models are wider than any document that people write.
  const graphql = graphQL({ limits: { tokens: 1e6, characters: 1e7, aliases: 1e6, depth: 20 } });
  await app.register(svc(service, { graphql }));
  schema = buildSchema(service.registry.graphql!.sdl);
}, 120_000);
afterAll(async () => {
  await app?.close();
  await service?.stop();
  project.remove();
});

describe(`random models (SVC_TEST_SEED=${seed})`, () => {
  it('generate a valid schema', () => {
    expect(leftOver).toEqual(new Set());
    expect(expressible.length).toBeGreaterThan(modelCount / 6);
    expect(validateSchema(schema)).toEqual([]);
  });

  it('are returned as over REST', { timeout: 120_000 }, async () => {
    for (const i of expressible) {
      const values = fc.sample(fieldValues(candidates[i]!), { seed: seed + i, numRuns: valuesOfEach });
      const keys = await append(i, values);
      const type = schema.getQueryType()!.getFields()[`one${i}`]!.type;
      const query = `query ($id: ID!) { one${i}(id: $id) ${wholeSelection(type)} }`;
      for (const id of keys) {
        const rest = (await app.inject(`/models-${i}/${id}`)).json<unknown>();
        const answer = await app.inject({ method: 'POST', url: '/graphql', payload: { query, variables: { id } } });
        const { data, errors } = answer.json<{ data: Record<string, unknown>; errors?: unknown }>();
        expect(errors).toBeUndefined();
        expect(data[`one${i}`]).toEqual(wholeAnswer(rest, data[`one${i}`], type));
      }
    }
  });
});

/** Appends an event for each value, and waits for the models; answers with their keys. */
async function append(index: number, values: readonly object[]): Promise<string[]> {
  const types = (await import(join(project.directory, 'src', `model-${index}.ts`))) as Record<string, never>;
  const EventClass = types[`Happened${index}`] as unknown as new (model: object) => object;
  const keys: string[] = [];
  for (const value of values) {
    const streamId = newId();
    keys.push(streamId);
    const event = new EventClass(value);
    await service.eventStore.append(streamId, wrap(`shop.Happened${index}`, event, { id: newId(), streamId }));
  }
  await service.idle();
  return keys;
}

/** Generates for some of the models; answers with those that GraphQL cannot express. */
function generate(indexes: readonly number[]): Set<number> {
  for (const [i, list] of candidates.entries())
    project.write(`src/model-${i}.ts`, source(list, i, indexes.includes(i)));
  const loaded = loadProject(project.directory);
  if ('code' in loaded) throw new Error(loaded.message);
  const { diagnostics } = new Generator(loaded).write();
  return new Set(
    diagnostics.map(({ code, file, message }) => {
      if (!code.startsWith('SVC15')) throw new Error(`${file} ${message}`);
      return Number(/model-(\d+)/.exec(file)?.[1]);
    }),
  );
}

function source(list: readonly RandomField[], index: number, isServed: boolean): string {
  const declarations: string[] = [];
  const declare: Declare = (prefix, declaration) => {
    const name = `${prefix}${index}X${declarations.length}`;
    declarations.push(declaration(name));
    return name;
  };
  const body = fieldsText(list, declare, '');
  const query = isServed ? `'one${index}'` : 'null';
  return [
    `import { perspective } from '@svc/core';`,
    `import type { Decimal, Event, Format, Int, Max, MaxItems, MaxLength, Min, MinItems, MinLength, Pattern, Perspective, Uuid } from '@svc/core';`,
    ...declarations,
    `export interface Model${index} { ${body} }`,
    `export class Happened${index} implements Event { constructor(readonly model: Model${index}) {} }`,
    `@perspective({ route: '/models-${index}', graphQLQuery: ${query} })`,
    `export class Models${index} implements Perspective<Model${index}, Happened${index}> {`,
    `  apply(_model: Model${index} | null, event: Happened${index}): Model${index} { return event.model; }`,
    `}`,
  ].join('\n');
}
