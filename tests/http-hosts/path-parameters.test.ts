/** Routes with parameters, with the code that the generator writes for them, on every host. */
import { join } from 'node:path';
import { createService, InMemoryStorage, type Service, type ServiceRegistry } from '@svc/core';
import { Generator, loadProject } from '@svc/generator';
import { graphQL } from '@svc/graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TemporaryProject } from '../generator/temporary-project.js';
import { hosts, type Listening } from './hosts.js';
import { apiKeys, as, type Orders } from './orders.js';

const loans = `import { commandEndpoint, type Command, type Int, type MaxLength, type Min, type Receptor, type Uuid } from '@svc/core';

export interface Renewed {
  member: string;
  copy: number;
  weeks: number;
}

/** Renews a loan. */
@commandEndpoint<RenewLoan, Renewed>({ restRoute: '/members/:member/loans/:copy/renew', graphQLMutation: 'renewLoan' })
export class RenewLoan implements Command {
  /** Who borrowed the book. */
  member!: string & MaxLength<400>;
  copy!: Int & Min<1>;
  weeks: Int & Min<1> = 4;
}

export class RenewLoanReceptor implements Receptor<RenewLoan, Renewed> {
  receive({ member, copy, weeks }: RenewLoan): Renewed {
    return { member, copy, weeks };
  }
}

@commandEndpoint<GreetMember, string>({ restRoute: '/members/:name/greet' })
export class GreetMember implements Command {
  name!: string;
}

export class GreetMemberReceptor implements Receptor<GreetMember, string> {
  receive({ name }: GreetMember): string {
    return \`Hello, \${name}\`;
  }
}

@commandEndpoint<CloseAccount, string>({ restRoute: '/accounts/:accountId/close', requires: 'orders:write' })
export class CloseAccount implements Command {
  accountId!: Uuid;
}

export class CloseAccountReceptor implements Receptor<CloseAccount, string> {
  receive({ accountId }: CloseAccount): string {
    return accountId;
  }
}
`;

const project = new TemporaryProject({ 'src/loans.ts': loans }, 'loans-');
let registry: ServiceRegistry<object>;

/** The generated client, without its types. */
interface Client {
  readonly createClient: (options: object, bound: object) => Record<string, (command: object) => Promise<unknown>>;
  readonly operations: object;
}

beforeAll(async () => {
  const settings = loadProject(project.directory, { client: join(project.directory, 'src/client') });
  if ('code' in settings) throw new Error(settings.message);
  const [problem] = new Generator(settings).write().diagnostics;
  if (problem !== undefined) throw new Error(problem.message);
  ({ registry } = (await import(join(project.directory, 'src/generated/registry.ts'))) as {
    registry: typeof registry;
  });
});
afterAll(() => project.remove());

describe.each(hosts)('on $name, a route with parameters', ({ start }) => {
  let host: Listening;
  beforeAll(async () => {
    const service: Service = createService(registry).addService().allowEverybody().useStorage(new InMemoryStorage());
    host = await start({ service } as unknown as Orders, [], { openapi: { title: 'Loans' }, graphql: graphQL() });
  });
  afterAll(() => host.stop());

  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${host.port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  };
  const errorsOf = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await post(path, body);
    expect([answer.status, answer.body['type']]).toEqual([400, 'urn:svc:problem:invalid-request']);
    return answer.body['errors'];
  };

  it('binds the decoded parts of the path to the properties', async () => {
    const answer = await post('/members/Ann%20O%2FNeil%20%C3%A9+%25/loans/2/renew', { weeks: 3 });
    expect(answer).toMatchObject({ status: 200, body: { member: 'Ann O/Neil é+%', copy: 2, weeks: 3 } });
    const id = '0192D3C5-7A6B-7C8D-9E0F-123456789ABC';
    expect((await post(`/accounts/${id}/close`, {})).body).toBe(id.toLowerCase());
  });

  it('is used by the generated client', async () => {
    const { createClient, operations } = (await import(join(project.directory, 'src/client/shop-client.ts'))) as Client;
    const client = createClient({ url: `http://127.0.0.1:${host.port}` }, operations);
    const loan = { member: 'Ann O/Neil é+%?#', copy: 2, weeks: 3 };
    expect(await client['renewLoan']!(loan)).toEqual(loan);
    expect(await client['greetMember']!({ name: '...' })).toBe('Hello, ...');
    await expect(client['greetMember']!({ name: '' })).rejects.toMatchObject({
      errors: [{ pointer: '/name', detail: 'must not be empty in the path' }],
    });
    await expect(client['greetMember']!({ name: '..' })).rejects.toThrow('".." cannot be sent as name');
  });

  it('may have another name for a part than another route', async () => {
    expect((await post('/members/loans/greet', {})).body).toBe('Hello, loans');
  });

  it('reports the errors of the path and of the body at once', async () => {
    expect(await errorsOf('/members/Ann/loans/0/renew', { weeks: 0, days: 1 })).toEqual([
      { pointer: '/copy', detail: 'must be at least 1' },
      { pointer: '/weeks', detail: 'must be at least 1' },
      { pointer: '/days', detail: 'is not a known property' },
    ]);
    expect(await errorsOf('/accounts/1/close', {})).toEqual([{ pointer: '/accountId', detail: 'must be a UUID' }]);
    expect(await errorsOf('/accounts/1/close', [])).toEqual([{ pointer: '', detail: 'must be an object' }]);
  });

  it.each(['02', '+2', '2.0', '2e0', '0x2', '-0', 'two'])('rejects %s as an integer', async (copy) => {
    expect(await errorsOf(`/members/Ann/loans/${copy}/renew`, {})).toEqual([
      { pointer: '/copy', detail: 'must be an integer' },
    ]);
  });

  it('rejects a body that repeats a property of the path, also with the same value', async () => {
    const repeated = { pointer: '/member', detail: 'is in the path and must not be in the body' };
    expect(await errorsOf('/members/Ann/loans/2/renew', { member: 'Ann' })).toEqual([repeated]);
    expect(await errorsOf('/members/Ann/loans/2/renew', { member: 'Bob' })).toEqual([repeated]);
  });

  it('rejects an empty part', async () => {
    expect(await errorsOf('/members//loans/2/renew', {})).toEqual([
      { pointer: '/member', detail: 'must not be empty in the path' },
    ]);
  });

  it('accepts 400 characters and answers more with 414', async () => {
    const longest = 'é'.repeat(400);
    expect((await post(`/members/${encodeURIComponent(longest)}/loans/2/renew`, {})).body).toMatchObject({
      member: longest,
    });
    expect((await post(`/members/${'a'.repeat(401)}/loans/2/renew`, {})).body).toMatchObject({ status: 414 });
  });

  it.each(['%', '%zz', '%C3'])('answers the invalid escape %s with 400', async (escape) => {
    const { body } = await post(`/members/A${escape}/loans/2/renew`, {});
    expect(body).toMatchObject({ status: 400, type: 'urn:svc:problem:bad-request' });
  });

  it('answers other methods with 405, and other paths with 404', async () => {
    const answer = await fetch(`http://127.0.0.1:${host.port}/members/Ann/loans/2/renew`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    const unknown = await fetch(`http://127.0.0.1:${host.port}/members/Ann/loans/renew`, { method: 'POST' });
    expect(unknown.status).toBe(404);
  });

  it('distinguishes the paths of requests with an idempotency key', async () => {
    const key = { 'idempotency-key': '0192d3c5-7a6b-7c8d-9e0f-123456789abc' };
    expect((await post('/members/Ann/loans/2/renew', {}, key)).headers.get('idempotency-replayed')).toBeNull();
    const again = await post('/members/Ann/loans/2/renew', {}, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    const other = await post('/members/Bob/loans/2/renew', {}, key);
    expect(other.body).toMatchObject({ status: 422, type: 'urn:svc:problem:idempotency-key-reused' });
  });

  it('describes the parameters in the OpenAPI document, and omits them from the body', async () => {
    const answer = await fetch(`http://127.0.0.1:${host.port}/openapi.json`);
    const { paths } = (await answer.json()) as { paths: Record<string, { post: Record<string, unknown> }> };
    expect(Object.keys(paths)).toEqual([
      '/accounts/{accountId}/close',
      '/members/{member}/loans/{copy}/renew',
      '/members/{name}/greet',
    ]);
    const { parameters, requestBody, responses, tags } = paths['/members/{member}/loans/{copy}/renew']!.post;
    expect(parameters).toMatchObject([
      {
        name: 'member',
        in: 'path',
        required: true,
        description: 'Who borrowed the book.',
        schema: { type: 'string', minLength: 1, maxLength: 400 },
      },
      { name: 'copy', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
      { name: 'Idempotency-Key', in: 'header' },
    ]);
    expect(requestBody).toEqual({
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { weeks: { type: 'integer', minimum: 1, default: 4 } },
            additionalProperties: false,
          },
        },
      },
    });
    expect(responses).toHaveProperty('414');
    expect(tags).toEqual(['members']);
  });

  it('has all properties as arguments over GraphQL', async () => {
    const query = 'mutation { renewLoan(command: { member: "Ann", copy: 2 }) { member copy weeks } }';
    expect((await post('/graphql', { query })).body).toEqual({
      data: { renewLoan: { member: 'Ann', copy: 2, weeks: 4 } },
    });
  });
});

it.each(hosts)('on $name, a route with parameters needs its permission before the path is read', async ({ start }) => {
  const service = createService(registry).addService().useStorage(new InMemoryStorage()).addAuthentication(apiKeys);
  const host = await start({ service } as unknown as Orders, [], { openapi: { title: 'Loans' } });
  try {
    const base = `http://127.0.0.1:${host.port}`;
    const close = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${base}/accounts/1/close`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      });
    const answers = await Promise.all([close({}), close(as.reader), close(as.writer)]);
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 400]);
    const document = (await (await fetch(`${base}/openapi.json`)).json()) as {
      paths: Record<string, { post: { security: unknown; responses: object } }>;
    };
    const { security, responses } = document.paths['/accounts/{accountId}/close']!.post;
    expect(security).toEqual([{ ApiKey: ['orders:write'] }]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403', '414']));
  } finally {
    await host.stop();
  }
});
