/** Deciders with snapshots, from their source to a state that is read back. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createService, InMemoryStorage, newId, type MessageClass, type ServiceRegistry, type Uuid } from '@svc/core';
import { around } from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';
import { Generator, loadProject, type Project } from '@svc/generator';
import { afterAll, expect, it } from 'vitest';
import { TemporaryProject } from './temporary-project.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const source = `
import { snapshot, type Command, type Decider, type Event, type Receptor, type ReceptorContext, type Uuid } from '@svc/core';

export class Deposit implements Command {
  accountId!: Uuid;
}
export class Deposited implements Event {
  constructor(readonly at: Date) {}
}

export interface AccountState {
  readonly last: Date | null;
  readonly members: Set<string>;
}

@snapshot({ every: 2 })
export class Account implements Decider<AccountState, Deposited> {
  initial(): AccountState {
    return { last: null, members: new Set(['ann']) };
  }
  evolve(state: AccountState, { at }: Deposited): AccountState {
    return { ...state, last: at };
  }
}

@snapshot({ every: 2, version: 3 })
export class Counter implements Decider<{ count: number }, Deposited> {
  initial() {
    return { count: 0 };
  }
  evolve({ count }: { count: number }) {
    return { count: count + 1 };
  }
}

export class DepositReceptor implements Receptor<Deposit, string> {
  async receive({ accountId }: Deposit, context: ReceptorContext): Promise<string> {
    const account = await context.load(Account, accountId);
    const counter = await context.load(Counter, accountId);
    account.append(new Deposited(new Date(1_700_000_000_000)));
    const { last, members } = account.state;
    return [last?.toISOString(), [...members], counter.state.count].join(' ');
  }
}
`;

const project = new TemporaryProject({ 'src/accounts.ts': source }, 'deciders-');
afterAll(() => project.remove());

it('are generated with functions that read and write their states', async () => {
  const { diagnostics } = new Generator(loadProject(project.directory) as Project).write();
  expect(diagnostics).toEqual([]);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project.directory, '--noEmit'], { encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(project.generated()['generated/openapi.ts']).toContain('"states": {');

  const { registry } = (await import(join(project.directory, 'src/generated/registry.ts'))) as {
    registry: ServiceRegistry<object>;
  };
  const { Deposit } = (await import(join(project.directory, 'src/accounts.ts'))) as {
    Deposit: MessageClass<{ accountId: Uuid }>;
  };
  const from: number[] = [];
  const storage = new InMemoryStorage();
  const watched = around<Storage>(storage, {
    readStream(streamId: Uuid, fromPosition = 0) {
      from.push(fromPosition);
      return storage.readStream(streamId, fromPosition);
    },
  });
  const service = createService(registry).useStorage(watched).start();
  const accountId = newId();
  const results: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    results.push(await service.dispatcher.invoke(Object.assign(new Deposit(), { accountId })));
    await service.idle();
  }
  await service.stop();
  expect(results).toEqual([1, 2, 3].map((count) => `2023-11-14T22:13:20.000Z ann ${count}`));
  expect(from, 'both deciders, from the beginning and then from their snapshots').toEqual([0, 0, 0, 0, 1, 1]);
});
