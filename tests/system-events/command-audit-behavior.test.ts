/** The command audit pipeline behavior: its order, step by step. */
import {
  CommandAudited,
  CommandAuditPipelineBehavior,
  SystemEventOptions,
  type PipelineBehavior,
  type ReceptorContext,
  type SystemEventEmitter,
} from '@svc/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PlaceOrder, records, shop } from './shop.js';

function run(
  options: SystemEventOptions,
  excluded: boolean,
  next: () => Promise<unknown>,
  emitted: Promise<void> = Promise.resolve(),
) {
  const steps: unknown[] = [];
  const emitter = {
    shouldExcludeFromAudit: (type: unknown) => {
      steps.push(['excluded?', type]);
      return excluded;
    },
    emitCommandAudited: (...values: unknown[]) => {
      steps.push(['emit', ...values.slice(0, 3)]);
      return emitted;
    },
  } as unknown as SystemEventEmitter;
  const command = new PlaceOrder();
  const context = {
    envelope: { payload: command },
    metadata: new Map([['ReceptorName', 'Placing']]),
  } as unknown as ReceptorContext;
  const behavior = new CommandAuditPipelineBehavior(emitter, options);
  const handled = behavior.handle(context, async () => {
    steps.push('next');
    return await next();
  });
  return { steps, command, handled };
}

describe('the order of the behavior', () => {
  const enabled = new SystemEventOptions().enableCommandAudit();

  it('runs the handler, checks whether the command is excluded, then emits, then returns the response', async () => {
    const { steps, command, handled } = run(enabled, false, () => Promise.resolve('done'));
    expect(await handled).toBe('done');
    expect(steps).toEqual(['next', ['excluded?', PlaceOrder], ['emit', command, 'done', 'Placing']]);
  });

  it('returns the response when CommandAuditEnabled is false, without that check', async () => {
    const { steps, handled } = run(new SystemEventOptions(), false, () => Promise.resolve('done'));
    expect(await handled).toBe('done');
    expect(steps).toEqual(['next']);
  });

  it('returns the response when the emitter excludes the command', async () => {
    const { steps, handled } = run(enabled, true, () => Promise.resolve('done'));
    expect(await handled).toBe('done');
    expect(steps).toEqual(['next', ['excluded?', PlaceOrder]]);
  });

  it('emits nothing when the handler throws', async () => {
    const { steps, handled } = run(enabled, false, () => Promise.reject(new Error('no')));
    await expect(handled).rejects.toThrow('no');
    expect(steps).toEqual(['next']);
  });
});

it('fails when the record cannot be emitted', async () => {
  const enabled = new SystemEventOptions().enableCommandAudit();
  const emitted = Promise.reject(new Error('away'));
  const { handled } = run(enabled, false, () => Promise.resolve('done'), emitted);
  await expect(handled).rejects.toThrow('away');
});

it('leaves out a response type that is no text', async () => {
  const marking: PipelineBehavior = {
    handle: (context, next) => {
      context.metadata.set('ResponseType', 5);
      return next();
    },
  };
  const service = shop().addBehavior(marking).addSystemEventAuditing().start();
  onTestFinished(() => service.stop());
  await service.dispatcher.invoke(new PlaceOrder());
  expect((await records(service, CommandAudited)).map(({ responseType }) => responseType)).toEqual([undefined]);
});

describe('the receptor name', () => {
  const renaming: PipelineBehavior = {
    handle: (context, next) => {
      context.metadata.set('ReceptorName', 'Renamed');
      return next();
    },
  };

  it('comes from the metadata of the context', async () => {
    const service = shop().addBehavior(renaming).addSystemEventAuditing().start();
    await service.dispatcher.invoke(new PlaceOrder());
    expect((await records(service, CommandAudited))[0]?.receptorName).toBe('Renamed');
  });

  it('is the registered one otherwise', async () => {
    const service = shop().addSystemEventAuditing().start();
    await service.dispatcher.invoke(new PlaceOrder());
    expect((await records(service, CommandAudited))[0]?.receptorName).toBe('PlaceOrderReceptor');
  });
});

it('rolls back the record if an outer behavior fails afterwards', async () => {
  const failing: PipelineBehavior = {
    handle: async (_context, next) => {
      await next();
      throw new Error('too late');
    },
  };
  const service = shop().addBehavior(failing).addSystemEventAuditing().start();
  await expect(service.dispatcher.invoke(new PlaceOrder())).rejects.toThrow('too late');
  expect(await records(service, CommandAudited)).toEqual([]);
});
