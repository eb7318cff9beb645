/** The console of a service with several databases. */
import { newId, OperationStarted, runAsHost, SystemEventStream } from '@svc/core';
import { wrap } from '@svc/core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { describePairs } from '../databases/pairs.js';
import { collect, OrderPlaced } from '../system-events/shop.js';
import { OperatedShop } from './operated-shop.js';

describePairs((fresh) => {
  it('works in the database that an operator names, and records its changes there', async () => {
    const pair = await fresh();
    const shop = await OperatedShop.start((service) => service.useDatabases(pair.open()));
    onTestFinished(() => shop.stop());
    const { service } = shop;
    const inDatabase = <T>(name: string, action: () => Promise<T>): Promise<T> =>
      runAsHost(() => service.runInDatabase(name, action));
    const reason = 'The program is fixed.';
    const stream = newId();
    await inDatabase('us', async () => {
      const scope = { tenantId: 'us-corp', userId: 'ann' };
      const envelope = wrap('shop.OrderPlaced', Object.assign(new OrderPlaced(), { note: 'bad' }), { scope });
      await service.eventStore.append(stream, { ...envelope, streamId: stream });
    });
    await shop.deliver('poison', 'us-corp');

    expect(await shop.get('/session')).toMatchObject({ databases: ['eu', 'us'] });
    const stopped = (query: string) => shop.get(`/perspectives/Tallies${query}`);
    const patience = { timeout: 30_000 };
    await expect
      .poll(() => stopped('?database=us'), patience)
      .toMatchObject({ stoppedStreams: [{ streamId: stream }] });
    for (const query of ['', '?database=eu']) expect(await stopped(query)).toMatchObject({ stoppedStreams: [] });
    await expect
      .poll(() => shop.get('/dead-letters?database=us'), patience)
      .toMatchObject({ deadLetters: [{ tenant: 'us-corp' }] });
    expect(await shop.get('/dead-letters')).toMatchObject({ deadLetters: [] });

    shop.faults.reaction = false;
    await expect
      .poll(() => shop.get('/reactions/mail?database=us'), patience)
      .toMatchObject({ reaction: { parked: 1 } });
    await shop.rejected(422, '/reactions/mail/retry', { stream, reason });
    expect(await shop.post('/reactions/mail/retry?database=us', { stream, reason })).toEqual({ retried: 1 });
    const recordsIn = async (name: string): Promise<unknown[]> => {
      await service.idle();
      const events = await inDatabase(name, () => collect(service.eventStore.readStream(SystemEventStream.streamId)));
      return events
        .map(({ envelope }) => envelope.payload)
        .filter((payload) => payload instanceof OperationStarted && payload.kind === 'reactions.retry');
    };
    expect(await recordsIn('us')).toMatchObject([{ requestedBy: 'olga', arguments: { stream, reason } }]);
    // The rejected retry.
    expect(await recordsIn('eu')).toMatchObject([{ requestedBy: 'olga', arguments: { stream, reason } }]);

    shop.faults.perspective = false;
    const { id } = await shop.post<{ id: string }>('/perspectives/Tallies/retry?database=us', { reason });
    await expect.poll(() => shop.get(`/operations/${id}?database=us`), patience).toMatchObject({ state: 'done' });
    await shop.rejected(404, `/operations/${id}`);
    expect(await stopped('?database=us')).toMatchObject({ stoppedStreams: [] });

    expect(await shop.rejected(404, '/perspectives?database=asia')).toMatchObject({
      detail: 'There is no database "asia". There are eu, us.',
    });
    await shop.rejected(403, '/dead-letters?database=us', undefined, 'auditor');
    await shop.rejected(403, '/dead-letters?database=eu', undefined, 'auditor');
    expect(await shop.get('/dead-letters', 'auditor')).toMatchObject({ deadLetters: [] });
    expect(await shop.get('/session', 'auditor')).toMatchObject({ databases: [], isOperator: false, tenant: 'acme' });
  });
});
