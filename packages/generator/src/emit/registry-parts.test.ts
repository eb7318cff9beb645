import { expect, it } from 'vitest';
import { Services } from './registry-parts.js';

it('requires the services that a constructor requires', () => {
  const services = new Services();
  const use = (className: string, name: string, optional: boolean) =>
    services.use(className, { name, kind: 'service', optional }, 0);
  expect(services.required).toEqual([]);
  use('A', 'mailer', false);
  use('A', 'clock', true);
  use('A', 'label', true);
  use('B', 'label', true);
  use('B', 'clock', false);
  expect(services.required).toEqual(['clock', 'mailer']);
});
