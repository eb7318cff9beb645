import { createService } from '@svc/core';
import { run } from '@svc/http';
import { postgres } from '@svc/postgres';
import { registry } from './generated/registry.js';

const service = createService(registry)
  .useStorage(postgres({ url: process.env['DATABASE_URL'] ?? '' }))
  .addSystemEventAuditing((events) => events.enableAll())
  .addServicePerspectives();

await run(service);
