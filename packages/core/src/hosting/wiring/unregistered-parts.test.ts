import { afterEach, expect, it } from 'vitest';
import type { Reaction } from '../../dispatch/index.js';
import type { Event } from '../../messages/index.js';
import type { Perspective } from '../../perspectives/index.js';
import type { Reporter } from '../registrations.js';
import { createService, type Service } from '../service.js';
import type { ServiceRegistry } from '../service-registry.js';

class BookLent implements Event {}
class Loans implements Perspective<object, BookLent> {
  apply(): object {
    return {};
  }
}
class Reminder implements Reaction<BookLent> {
  react(): void {}
}

const registry: ServiceRegistry<object> = {
  messages: [
    { type: 'library.BookLent', kind: 'event', class: BookLent, read: () => new BookLent(), write: JSON.stringify },
  ],
  receptors: [],
  endpoints: [],
  perspectives: [
    {
      name: 'Loans',
      class: Loans,
      events: [BookLent],
      readModel: () => ({}),
      writeModel: JSON.stringify,
      create: () => new Loans(),
    },
  ],
  reactions: [{ name: 'Reminder', class: Reminder, events: [BookLent], create: () => new Reminder() }],
  openapi: { paths: {}, components: { schemas: {} } },
};

let service: Service | undefined;
afterEach(async () => await service?.stop());

async function reportsOf(configure: (service: Service) => Service): Promise<unknown[]> {
  const reported: unknown[] = [];
  const report: Reporter = (error, part) => reported.push([part, error]);
  await service?.stop();
  service = configure(createService(registry)).reportTo(report).start();
  await service.ready();
  return reported;
}

it('reports generated perspectives and reactions that are not registered, with the calls to add', async () => {
  expect(await reportsOf((built) => built)).toEqual([
    ['perspectives', expect.objectContaining({ code: 'SVC_NOT_REGISTERED' })],
    ['reactions', expect.objectContaining({ code: 'SVC_NOT_REGISTERED' })],
  ]);
  expect(String(await reportsOf((built) => built.addServiceReactions()))).toContain(
    'svc generate found Loans, but the service does not register them, so this host builds no models and has none of their routes and queries. Call addServicePerspectives(), or omitServicePerspectives()',
  );
  expect(String(await reportsOf((built) => built.addServicePerspectives()))).toContain(
    'svc generate found Reminder, but the service does not register them, so this host does not run them. Call addServiceReactions(), or omitServiceReactions()',
  );
});

it('reports nothing if they are registered or omitted on purpose', async () => {
  expect(await reportsOf((built) => built.addServicePerspectives().addServiceReactions())).toEqual([]);
  expect(await reportsOf((built) => built.omitServicePerspectives().omitServiceReactions())).toEqual([]);
});
