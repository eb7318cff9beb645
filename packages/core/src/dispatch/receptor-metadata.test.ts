import { expect, it } from 'vitest';
import { ReceptorMetadata } from './receptor-metadata.js';

const receptor = { name: 'DepositReceptor', resultType: 'Balance' };

it('has the facts of the receptor, and none that was not set', () => {
  const metadata = new ReceptorMetadata(receptor);
  expect(['ReceptorName', 'ResponseType', 'Tenant'].map((name) => metadata.get(name))).toEqual([
    'DepositReceptor',
    'Balance',
    undefined,
  ]);
});

it('has the facts that were set, also in place of those of the receptor', () => {
  const metadata = new ReceptorMetadata(receptor);
  metadata.set('Tenant', 'acme');
  metadata.set('ResponseType', undefined);
  expect(['ReceptorName', 'ResponseType', 'Tenant'].map((name) => metadata.get(name))).toEqual([
    'DepositReceptor',
    undefined,
    'acme',
  ]);
});
