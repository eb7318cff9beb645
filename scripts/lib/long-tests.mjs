/**
 * Test files that `npm test` leaves to `npm run test:all`, so that it takes less than ten minutes on two processors. Each needs a browser, an
 * installation, a deployment, several hosts or a part that fails, and is long because of it. The comments name shorter tests that remain in `npm test`.
 */
export const longTests = [
  // Browsers. `tests/pages/orders-page.test.ts` and the tests of the API of the console remain.
  'tests/console/database-choice.test.ts',
  'tests/console/every-view.test.ts',
  'tests/console/look.test.ts',
  'tests/console/oidc.test.ts',
  'tests/console/operate.test.ts',
  'tests/console/sign-in.test.ts',
  'tests/pages/api-page.test.ts',
  'tests/pages/explorer.test.ts',

  // Packages as users install them, services and workspaces outside of the checkout, and the site. `tests/packages/manifests.test.ts` and
  // `tests/newcomer` remain.
  'tests/create/created-service.test.ts',
  'tests/packages/release.test.ts',
  'tests/packages/tarballs.test.ts',
  'tests/packages/tutorial/tutorial.test.ts',
  'tests/site/site.test.ts',
  'tests/documentation/guides/bundle.test.ts',
  'tests/documentation/guides/forget-a-customer.test.ts',
  'tests/documentation/guides/library.test.ts',
  'tests/documentation/guides/monorepos.test.ts',
  'tests/documentation/guides/rabbitmq.test.ts',
  'tests/documentation/guides/trust.test.ts',

  // Deployments. `tests/deploy/blue-green.test.ts` remains.
  'tests/deploy/canary-interrupted.test.ts',
  'tests/deploy/canary.test.ts',
  'tests/deploy/check-database.test.ts',
  'tests/deploy/deployers.test.ts',
  'tests/deploy/kubernetes/kubernetes.test.ts',
  'tests/deploy/replacement.test.ts',

  // Several hosts, and parts that fail. The other tests of `tests/durability` and `tests/perspectives`, and `tests/simulation/simulation.test.ts`
  // remain.
  'tests/clocks/random-clocks.test.ts',
  'tests/clocks/skew.test.ts',
  'tests/console/overview.test.ts',
  'tests/databases/command-line.test.ts',
  'tests/databases/messages.test.ts',
  'tests/databases/outage.test.ts',
  'tests/dev/dev.test.ts',
  'tests/durability/hard-failures.test.ts',
  'tests/fuzz/detection.test.ts',
  'tests/fuzz/fuzz.test.ts',
  'tests/live/kill.test.ts',
  'tests/migrations/batch-kill.test.ts',
  'tests/migrations/kill.test.ts',
  'tests/migrations/perspective-kill.test.ts',
  'tests/mutation/mutation.test.ts',
  'tests/operations/archive.test.ts',
  'tests/operations/audit-tail.test.ts',
  'tests/operations/hosts.test.ts',
  'tests/personal/broker.test.ts',
  'tests/personal/foreign-texts.test.ts',
  'tests/personal/kill.test.ts',
  'tests/perspectives/hosts.test.ts',
  'tests/perspectives/kill.test.ts',
  'tests/perspectives/rebuild-under-load.test.ts',
  'tests/perspectives/segments.test.ts',
  'tests/perspectives/shared-histories.test.ts',
  'tests/perspectives/shared-work.test.ts',
  'tests/rabbitmq/broker-states.test.ts',
  'tests/rabbitmq/cloud-events.test.ts',
  'tests/rabbitmq/failures.test.ts',
  'tests/seals/digesting-thread.test.ts',
  'tests/seals/kill.test.ts',
  'tests/servicebus/failures.test.ts',
  'tests/simulation/detection.test.ts',
  'tests/torture/broker.test.ts',
  'tests/torture/shops.test.ts',
  'tests/transport/closed-destinations.test.ts',

  // Other programs: shells, servers with certificates of their own, official parsers. `tests/command-line` and `tests/asyncapi` remain otherwise.
  'tests/asyncapi/parser.test.ts',
  'tests/command-line/completion.test.ts',
  'tests/postgres/tls.test.ts',

  // The contracts of storages and transports in other circumstances. `tests/postgres/contract.test.ts` and `tests/rabbitmq/contract.test.ts` remain.
  'tests/postgres/pgbouncer.test.ts',
  'tests/postgres/read-replica.test.ts',
  'tests/servicebus/contract.test.ts',
];
