/** Events that an earlier version of svc received with a tenant that no database can store. */
import { newId, perspective, ScopeFilters, type Perspective } from '@svc/core';
import { expect, it } from 'vitest';
import { OrderPlaced } from '../system-events/shop.js';
import { described, NoteTrace, place, shopWith, type Trace } from './perspective-shop.js';
import { describeStores } from './storages.js';

@perspective({ scope: ScopeFilters.Tenant })
class TenantTrace extends NoteTrace implements Perspective<Trace, OrderPlaced> {}

describeStores((stores) => {
  it.each(['a\0b', '\ud800'])('stop their streams and no other: the tenant %j', async (svcTenant) => {
    const open = await stores.fresh();
    const storage = open();
    const service = shopWith([described(TenantTrace, [OrderPlaced])], storage)
      .reportTo(() => {})
      .start();
    await service.ready();
    const id = newId();
    const stored = {
      id,
      type: 'shop.OrderPlaced',
      streamId: newId(),
      body: '{"note":"a"}',
      timestamp: Date.now(),
      correlationId: id,
      causationId: null,
      scope: null,
      metadata: { svcTenant },
      expectedPosition: undefined,
    };
    await storage.commit({ events: [stored], outgoing: [], delivered: null, received: [] });
    await place(service, 'b');
    const lens = service.lens(TenantTrace);
    await service.idle();
    expect(await lens.stoppedStreams()).toMatchObject([
      { streamId: stored.streamId, eventId: id, errorMessage: expect.stringContaining('U+0000') as string },
    ]);
    expect((await lens.find('b'))?.ids).toHaveLength(1);
  });
});
