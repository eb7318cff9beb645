/** Telemetry on a database: all wrappers pass on what they do not observe. */
import { openTelemetry } from '@svc/telemetry';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { OrderTrace } from '../perspectives/perspective-shop.js';
import { collect, OrderPlaced } from '../system-events/shop.js';
import { Sdk } from './sdk.js';
import { placeOrder, shopWithEndpoint } from './watched-shop.js';

const databases = useDatabases();

const sdk = Sdk.register();
afterAll(() => sdk.stop());

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => void (database = await databases[kind]!()));
  afterEach(() => database.remove());

  it('models are built, read and rebuilt as without it', async () => {
    const reported: unknown[] = [];
    const service = shopWithEndpoint(undefined, database.storage())
      .useTelemetry(openTelemetry())
      .reportTo((error) => void reported.push(error));
    await service.start().ready();
    try {
      await placeOrder(service);
      const events = await collect(service.eventStore.readAll());
      const { streamId, envelope } = events.findLast(({ envelope: { payload } }) => payload instanceof OrderPlaced)!;
      const lens = service.lens(OrderTrace);
      await lens.waitFor(envelope.id);
      expect(await lens.find(streamId)).toEqual({ ids: [envelope.id] });
      await service.rebuildPerspective(OrderTrace);
      expect(await lens.list()).toEqual([{ ids: [envelope.id] }]);
      expect(sdk.spans('svc.apply').length).toBeGreaterThan(0);
      expect(reported).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
