/** Generated readers and writers of secrets, in every place of a type. */
import { join } from 'node:path';
import { readOrThrow, secretsIn, type Reader, type Writer } from '@svc/core/json';
import { Generator, loadProject } from '@svc/generator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TemporaryProject } from './temporary-project.js';

const source = `import { commandEndpoint, type Command, type MinLength, type Pattern, type Secret, type Uuid } from '@svc/core';

export interface Card {
  code?: (string & Secret) | undefined;
  holder: string;
}
export type MaybePin = (string & Secret) | null;
export type Method = { kind: 'card'; card: Card } | { kind: 'bank'; pin: MaybePin };

export class LogIn {
  password!: string & Secret;
}

@commandEndpoint<Pay, { id: Uuid }>({ restRoute: '/pay', graphQLMutation: 'pay' })
export class Pay implements Command {
  id!: Uuid;
  token!: string & MinLength<3> & Pattern<'^[a-z-]+$'> & Secret;
  pin: MaybePin = null;
  list: (string & Secret)[] = [];
  set: Set<string & Secret> = new Set();
  named!: Record<string, string & Secret>;
  pair!: [string & Secret, number];
  either!: (string & Secret) | number;
  methods!: Method[];
}

@commandEndpoint<Enter, void>({ restRoute: '/enter', requestType: LogIn })
export class Enter implements Command {
  user!: string;
}
`;

const mapping = `import { EnterEndpoint } from './generated/enter.endpoint.js';
import { Enter, type LogIn } from './pay.js';

export class MappedEnter extends EnterEndpoint {
  protected override mapRequestToCommand(request: LogIn): Enter {
    return Object.assign(new Enter(), { user: request.password.slice(0, 1) });
  }
}
`;

const project = new TemporaryProject({ 'src/pay.ts': source, 'src/enter.endpoint.ts': mapping }, 'secret-types-');
afterAll(() => project.remove());

let read: Reader<object>;
let write: Writer<object>;
beforeAll(async () => {
  const loaded = loadProject(project.directory);
  if ('code' in loaded) throw new Error(loaded.message);
  const { diagnostics } = new Generator(loaded).write();
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const generated = (await import(join(project.directory, 'src/generated/pay.json.ts'))) as {
    payFromJson: Reader<object>;
    writePay: Writer<object>;
  };
  read = generated.payFromJson;
  write = generated.writePay;
});

const sent = {
  id: '01912d68-783e-7a03-8467-5661c1243ad4',
  token: 'tok-one',
  pin: 'pin-two',
  list: ['list-three', 'list-four'],
  set: ['set-five'],
  named: { first: 'named-six' },
  pair: ['pair-seven', 7],
  either: 'either-eight',
  methods: [
    { kind: 'card', card: { code: 'code-nine', holder: 'Ada' } },
    { kind: 'bank', pin: 'pin-ten' },
    { kind: 'bank', pin: null },
    { kind: 'card', card: { holder: 'Bob' } },
  ],
};

it('writes a replacement for every secret, and everything else', () => {
  const pay = readOrThrow(read, structuredClone(sent));
  expect(pay).toMatchObject({ token: 'tok-one', pin: 'pin-two', set: new Set(['set-five']) });
  expect(JSON.parse(write(pay))).toEqual({
    id: sent.id,
    token: '[secret]',
    pin: '[secret]',
    list: ['[secret]', '[secret]'],
    set: ['[secret]'],
    named: { first: '[secret]' },
    pair: ['[secret]', 7],
    either: '[secret]',
    methods: [
      { kind: 'card', card: { code: '[secret]', holder: 'Ada' } },
      { kind: 'bank', pin: '[secret]' },
      { kind: 'bank', pin: null },
      { kind: 'card', card: { holder: 'Bob' } },
    ],
  });
});

it('finds all secrets of a message', () => {
  const found = secretsIn(readOrThrow(read, structuredClone(sent)), write);
  expect(found.toSorted()).toEqual(
    [
      'tok-one',
      'pin-two',
      'list-three',
      'list-four',
      'set-five',
      'named-six',
      'pair-seven',
      'either-eight',
      'code-nine',
      'pin-ten',
    ].toSorted(),
  );
});

it('describes an invalid secret without its value', () => {
  expect(() => readOrThrow(read, { ...structuredClone(sent), token: 'NOT-VALID-1', pin: 7 })).toThrow(
    expect.objectContaining({
      issues: [
        { pointer: '/token', detail: 'must match the pattern ^[a-z-]+$' },
        { pointer: '/pin', detail: expect.stringMatching(/^must be a string/) as string },
      ],
    }) as Error,
  );
});

it('marks commands and requests with secrets in the registry, and no others', () => {
  const registry = project.read('src/generated/registry.ts');
  const entries = registry.split("type: 'shop.");
  expect(entries.find((entry) => entry.startsWith("Pay'"))).toContain('hasSecrets: true');
  expect(entries.find((entry) => entry.startsWith("Enter'"))!.split('}')[0]).not.toContain('hasSecrets');
  expect(registry).toContain('writeRequest: writePay,');
  expect(registry).toContain('writeRequest: writeLogIn,');
});

it('describes secrets as passwords that are only written', () => {
  const openapi = project.read('src/generated/openapi.ts');
  expect(openapi.match(/"format": "password",\s+"writeOnly": true/g)).toHaveLength(10);
  expect(
    project.read('src/generated/graphql.ts').match(/Secret: audit records and logs do not contain it/g),
  ).toHaveLength(6);
});
