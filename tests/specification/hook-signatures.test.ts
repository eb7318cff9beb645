/** What each hook of a generated endpoint is given and may return; all are protected, and there is no HTTP method to choose. */
import {
  commandEndpoint,
  createService,
  RestMutationEndpointBase,
  type Command,
  type MutationContext,
  type Service,
  type CommandEndpointOptions,
} from '@svc/core';
import { CommandRequest } from '@svc/core/hosting';
import { describe, expect, expectTypeOf, it } from 'vitest';

@commandEndpoint<Greet, string>({ restRoute: '/greet' })
class Greet implements Command {
  name = 'you';
}

/** As generated, but for the class that extends it. */
class GreetEndpoint extends RestMutationEndpointBase<Greet, string> {
  readonly restRoute: string = '/greet';
}

const calls: [hook: string, ...given: unknown[]][] = [];

class CustomEndpoint extends GreetEndpoint {
  protected override async onBeforeExecute(...given: [Greet, MutationContext, AbortSignal]): Promise<void> {
    calls.push(['OnBeforeExecute', ...given]);
    await super.onBeforeExecute(...given);
  }
  protected override async dispatchCommand(...given: [Greet, AbortSignal]): Promise<string> {
    calls.push(['DispatchCommand', ...given]);
    return await super.dispatchCommand(...given);
  }
  protected override async onAfterExecute(...given: [Greet, string, MutationContext, AbortSignal]): Promise<void> {
    calls.push(['OnAfterExecute', ...given]);
    await super.onAfterExecute(...given);
  }
  protected override async onError(...given: [Greet, unknown, MutationContext, AbortSignal]): Promise<string | null> {
    calls.push(['OnError', ...given]);
    return (await super.onError(...given)) ?? null;
  }
}

const rejection = new Error('no');

function service(): Service {
  return createService({
    messages: [{ type: 'test.Greet', kind: 'command', class: Greet, read: () => new Greet(), write: JSON.stringify }],
    receptors: [{ name: 'GreetReceptor', command: Greet, create: () => ({ receive: greet }) }],
    endpoints: [
      {
        name: 'GreetEndpoint',
        command: Greet,
        restRoute: '/greet',
        graphQLMutation: null,
        readRequest: () => new Greet(),
        writeResult: JSON.stringify,
        create: ({ dispatcher }) => new CustomEndpoint(dispatcher),
      },
    ],
    openapi: { paths: {}, components: { schemas: {} } },
  }).start();
}

function greet({ name }: Greet): string {
  if (name === 'nobody') throw rejection;
  return `Hello, ${name}`;
}

async function handled(name: string): Promise<{ command: Greet; signal: AbortSignal; outcome: unknown }> {
  calls.length = 0;
  const cancellation = new CommandRequest();
  const command = Object.assign(new Greet(), { name });
  const [endpoint] = service().endpoints;
  const outcome: unknown = await endpoint!.endpoint.handle(command, cancellation).catch((error: unknown) => error);
  return { command, signal: cancellation.signal, outcome };
}

const anyContext = { items: new Map(), signal: expect.any(AbortSignal) as AbortSignal } as unknown;

describe('hook signatures', () => {
  it('OnBeforeExecute: command, context, signal; returns nothing', async () => {
    const { command, signal, outcome } = await handled('you');
    expect(calls[0]).toEqual(['OnBeforeExecute', command, expect.objectContaining({}), signal]);
    expect(calls[0]![2]).toMatchObject(anyContext as object);
    expect(outcome).toBe('Hello, you');
  });

  it('DispatchCommand: command, signal; returns the result', async () => {
    const { command, signal, outcome } = await handled('you');
    expect(calls[1]).toEqual(['DispatchCommand', command, signal]);
    expect(outcome).toBe('Hello, you');
  });

  it('OnAfterExecute: command, result, context, signal; returns nothing', async () => {
    const { command, signal } = await handled('you');
    expect(calls[2]).toEqual(['OnAfterExecute', command, 'Hello, you', calls[0]![2], signal]);
    expect(calls).toHaveLength(3);
  });

  it('OnError: command, error, context, signal; returns null by default, which rethrows', async () => {
    const { command, signal, outcome } = await handled('nobody');
    expect(calls.map(([hook]) => hook)).toEqual(['OnBeforeExecute', 'DispatchCommand', 'OnError']);
    expect(calls[2]).toEqual(['OnError', command, rejection, calls[0]![2], signal]);
    expect(outcome).toBe(rejection);
  });

  it('are protected: the compiler lets no code outside call them', () => {
    type Public = keyof CustomEndpoint;
    expectTypeOf<Extract<Public, 'onBeforeExecute' | 'dispatchCommand' | 'onAfterExecute' | 'onError'>>().toBeNever();
    expectTypeOf<Extract<Public, 'execute' | 'handle'>>().toEqualTypeOf<'execute' | 'handle'>();
    expect(CustomEndpoint.prototype).toBeInstanceOf(RestMutationEndpointBase);
  });
});

it('there is no property for an HTTP method', () => {
  // @ts-expect-error -- all endpoints are POST
  const options: CommandEndpointOptions = { restRoute: '/greet', method: 'PUT' };
  commandEndpoint<Greet, string>(options)(class extends Greet {});
  expect(new CustomEndpoint(service().dispatcher)).not.toHaveProperty('method');
});
