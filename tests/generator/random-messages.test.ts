/** For random message types: generated code compiles under the strictest flags and loses nothing. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ValidationError } from '@svc/core';
import { parseJson, readOrThrow, type Reader, type Writer } from '@svc/core/json';
import { Generator, loadProject } from '@svc/generator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fields, fieldsText, fieldValues, randomTypes, type Declare, type RandomField } from './random-types.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
/** `SVC_TEST_RUNS=10` for ten times as many. */
const messageCount = 15 * Number(process.env['SVC_TEST_RUNS'] ?? 1);
const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = join(root, '.cache', `random-messages-${process.pid}`);

const messages = fc.sample(fields(randomTypes, 0), { seed, numRuns: messageCount });

beforeAll(() => {
  mkdirSync(join(directory, 'src'), { recursive: true });
  writeFileSync(
    join(directory, 'package.json'),
    JSON.stringify({ name: 'random', type: 'module', svc: { client: 'src/client' } }),
  );
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        noEmit: true,
        composite: false,
        declaration: false,
        declarationMap: false,
        noUnusedLocals: false,
      },
      include: ['src'],
    }),
  );
  messages.forEach((list, i) => writeFileSync(join(directory, 'src', `message-${i}.ts`), source(list, i)));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe(`random message types (SVC_TEST_SEED=${seed})`, () => {
  it('are generated without a diagnostic', () => {
    const project = loadProject(directory);
    if ('code' in project) throw new Error(project.message);
    const { diagnostics, files } = new Generator(project).write();
    expect(diagnostics).toEqual([]);
    expect(files).toBeGreaterThan(messageCount);
  });

  it('give code that compiles under the strictest flags', () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', directory], { encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  it('are read back as written, and match the OpenAPI schema', { timeout: 120_000 }, async () => {
    const validate = await schemaValidator();
    for (const [i, list] of messages.entries()) {
      const { MessageClass, read, write } = await load(i);
      const check = fc.property(fieldValues(list), (values) => {
        const message = Object.assign(new MessageClass(), values);
        const text = write(message);
        const back = readOrThrow(read, parseJson(text));
        expect(Object.getPrototypeOf(back)).toBe(MessageClass.prototype);
        expect(back).toEqual(message);
        expect(validate(i, JSON.parse(text))).toEqual([]);
      });
      fc.assert(check, { seed, numRuns: 25 });
    }
  });

  it('are sent and returned by the client as they are', { timeout: 120_000 }, async () => {
    const { createClient, operations } = (await import(join(directory, 'src/client/random-client.ts'))) as RandomClient;
    for (const [i, list] of messages.entries()) {
      const { MessageClass, read, write } = await load(i);
      // The service returns what it has read.
      const echo: typeof fetch = (_url, init) =>
        Promise.resolve(new Response(write(readOrThrow(read, parseJson(init?.body as string)))));
      const client = createClient({ url: 'http://service.example', fetch: echo }, operations);
      const check = fc.asyncProperty(fieldValues(list), async (values) => {
        expect(await client[`message${i}`]!(values)).toEqual({ ...Object.assign(new MessageClass(), values) });
      });
      await fc.assert(check, { seed, numRuns: 10 });
    }
  });

  it('fail on random JSON only with a list of issues, and accept only what matches the OpenAPI schema', async () => {
    const validate = await schemaValidator();
    for (const [i, list] of messages.entries()) {
      const { read, write, MessageClass } = await load(i);
      const valid = fieldValues(list).map(
        (values) => JSON.parse(write(Object.assign(new MessageClass(), values))) as unknown,
      );
      const junkValue = fc.oneof(fc.jsonValue(), fc.double({ min: -10, max: 10, noNaN: true }));
      const broken = fc.tuple(valid, junkValue, fc.nat()).map(([value, junk, at]) => replaceNode(value, junk, at));
      const check = fc.property(fc.oneof(fc.jsonValue(), broken), (value) => {
        try {
          readOrThrow(read, parseJson(JSON.stringify(value)));
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError);
          for (const { pointer } of (error as ValidationError).issues) expect(pointer).toMatch(/^(?:\/|$)/);
          return;
        }
        expect(validate(i, value)).toEqual([]);
      });
      fc.assert(check, { seed, numRuns: 25 });
    }
  });
});

function source(list: readonly RandomField[], index: number): string {
  const declarations: string[] = [];
  const declare: Declare = (prefix, declaration) => {
    const name = `${prefix}${declarations.length}`;
    declarations.push(declaration(name));
    return name;
  };
  const body = fieldsText(list, declare, '!');
  return [
    `import { commandEndpoint } from '@svc/core';`,
    `import type { Command, Decimal, Format, Int, Max, MaxItems, MaxLength, Min, MinItems, MinLength, Pattern, Uuid } from '@svc/core';`,
    ...declarations,
    `@commandEndpoint<Message${index}, Message${index}>({ restRoute: '/message-${index}' })`,
    `export class Message${index} implements Command { ${body} }`,
  ].join('\n');
}

interface RandomClient {
  readonly createClient: (options: object, bound: object) => Record<string, (message: unknown) => Promise<unknown>>;
  readonly operations: object;
}

interface Loaded {
  readonly MessageClass: new () => object;
  readonly read: Reader<object>;
  readonly write: Writer<object>;
}

async function load(index: number): Promise<Loaded> {
  const types = (await import(join(directory, 'src', `message-${index}.ts`))) as Record<string, never>;
  const json = (await import(join(directory, 'src', 'generated', `message-${index}.json.ts`))) as Record<string, never>;
  return {
    MessageClass: types[`Message${index}`]!,
    read: json[`message${index}FromJson`]!,
    write: json[`writeMessage${index}`]!,
  };
}

async function schemaValidator(): Promise<(index: number, value: unknown) => unknown[]> {
  const { openapi } = (await import(join(directory, 'src', 'generated', 'openapi.ts'))) as { openapi: object };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
  ajv.addSchema({ ...openapi, $id: 'openapi' });
  return (index, value) => {
    // A message with decimals has another schema in responses.
    const schema = `openapi#/components/schemas/Message${index}`;
    const validate = (ajv.getSchema(`${schema}Input`) ?? ajv.getSchema(schema))!;
    return validate(value) ? [] : (validate.errors ?? []);
  };
}

/** A copy of `value` with its `at`th node replaced by `junk`. */
function replaceNode(value: unknown, junk: unknown, at: number): unknown {
  const text = JSON.stringify(value);
  let count = 0;
  JSON.parse(text, (_key, node: unknown) => (count++, node));
  const target = at % count;
  let seen = 0;
  return JSON.parse(text, (_key, node: unknown) => (seen++ === target ? junk : node)) as unknown;
}
