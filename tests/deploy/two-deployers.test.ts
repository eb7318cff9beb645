/** Deployers that want the same service at the same time, or one after the other without knowing of each other. */
import { isSameSplit } from '@svc/deploy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortStages } from './haproxy-rig.js';
import { SmallRig } from './small-rig.js';
import { waitFor } from './wait-for.js';

let rig: SmallRig;
beforeAll(async () => {
  rig = await SmallRig.start({ blue: 1, green: 2 });
  await rig.must('install', '--environment', 'blue', '--version', 'v1');
});
afterAll(() => rig.stop());

describe('of two deployers', () => {
  it('the second is refused, whatever it wants, from the moment on in which the first begins', async () => {
    rig.hold('v2');
    const first = rig.svc('canary', '--version', 'v2', '--stages', '50,100', ...shortStages);
    await waitFor(() => rig.platform.claim(), 'the first has begun');
    for (const args of [
      ['canary', '--version', 'v2'],
      ['canary', '--resume'],
      ['blue-green', '--version', 'v3'],
      ['rolling', '--version', 'v3'],
      ['recreate', '--version', 'v3'],
      ['rollback', '--even-if-taken-back'],
      ['rollback', '--previous'],
      ['install', '--environment', 'green', '--version', 'v3'],
      ['scale', '--environment', 'blue', '--instances', '1'],
    ]) {
      expect(await rig.svc(...args)).toEqual({
        code: 1,
        out: '',
        error: `This service is being changed (canary) by process ${process.pid}. End it first.`,
      });
    }
    expect(await rig.must('status')).toContain(`Being changed (canary); process ${process.pid} on `);
    rig.letGo('v2');
    const asking = rig.ask();
    expect((await first).code).toBe(0);
    await asking.stop();
    expect(asking.failures).toEqual([]);
    expect(await rig.platform.split()).toEqual({ blue: 0, green: 100 });
    expect(await rig.platform.claim()).toBeNull();
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v1', ready: 1 });
  });

  it('one that was taken for gone, and was only away, touches nothing of what the other has done', async () => {
    const away = rig.svc('canary', '--stages', '25,100', ...shortStages, '--stage-time', '60s');
    await waitFor(async () => isSameSplit(await rig.platform.split(), { blue: 25, green: 75 }), 'the first stage');
    // Somebody on another machine takes it over, and takes it back.
    const { platform } = rig;
    const { id } = (await platform.claim())!;
    const theirs = {
      id: 'theirs',
      what: 'rollback',
      controller: { host: 'elsewhere', pid: 7 },
      seen: new Date().toISOString(),
    };
    expect(await platform.replaceClaim(id, theirs)).toBe(true);
    await platform.setNote(null);
    await platform.setSplit({ blue: 0, green: 100 });
    expect(await away).toMatchObject({
      code: 1,
      error:
        'Process 7 on elsewhere (rollback) has taken over. Nothing was changed here since; svc deploy status says what is.',
    });
    expect(await platform.split()).toEqual({ blue: 0, green: 100 });
    expect(await platform.note()).toBeNull();
    expect(await platform.claim()).toEqual(theirs);
    await platform.replaceClaim('theirs', null);
  });

  it('one that rolls through the instances stops where it is when the other takes over, and puts nothing back', async () => {
    rig.hold('v5');
    const away = rig.svc('rolling', '--version', 'v5');
    await waitFor(() => rig.pidOf('green-2'), 'the new version is started');
    const { platform } = rig;
    const claim = (await platform.claim())!;
    await platform.replaceClaim(claim.id, { ...claim, id: 'theirs', controller: { host: 'elsewhere', pid: 7 } });
    rig.letGo('v5');
    expect(await away).toMatchObject({ code: 1, error: expect.stringContaining('has taken over.') as string });
    // Neither was the old one stopped, nor the new one ended.
    expect(await platform.status('green')).toMatchObject({ ready: 2 });
    await platform.replaceClaim('theirs', null);
  });
});
