/** A figure that a decision quotes, and the constant of the code that it comes from. */
export interface DecisionFigure {
  readonly decision: string;
  /** The words around the figure; `{}` stands for it. */
  readonly words: string;
  /** `<file>#<exported name>`, with dots for members. */
  readonly source: string;
  /** How the decision writes the constant. */
  readonly as: (value: number) => string;
}

const count = (value: number): string => value.toLocaleString('en-US');
const plain = (value: number): string => String(value);
const seconds = (ms: number): string => `${ms / 1_000} s`;
const milliseconds = (ms: number): string => `${ms} ms`;
const perSecond = (ms: number): string => `${1_000 / ms} times a second`;
const millions = (value: number): string => `${value / 1_000_000} million`;
const KiB = (bytes: number): string => `${bytes / 1_024} KiB`;
const MiB = (bytes: number): string => `${bytes / 1_024 / 1_024} MiB`;
const percent = (share: number): string => `${share * 100} %`;

const core = 'packages/core/src';
const postgres = 'packages/postgres/src';
const sqlite = 'packages/sqlite/src';

type Row = readonly [decision: string, words: string, source: string, as: DecisionFigure['as']];

const rows: readonly Row[] = [
  ['0003', 'up to [{} characters]', `${core}/json/formats.ts#longestDecimal`, count],
  [
    '0003',
    'an integer of more than {} digits',
    `${core}/json/scalars.ts#certainInteger`,
    (value) => plain(Math.log10(value)),
  ],
  ['0012', 'up to {} by default (`resolveTimeoutMs`)', `${postgres}/options.ts#defaults.resolveTimeoutMs`, seconds],
  ['0013', 'waits up to {} for transactions', `${postgres}/options.ts#defaults.stallMs`, seconds],
  ['0014', 'a batch up to {} times', `${postgres}/races.ts#mostRaces`, plain],
  ['0019', 'holds a row for {} at a time', `${sqlite}/migrations/migration-session.ts#lockMs`, seconds],
  ['0021', 'Page numbers end at {},', `${core}/perspectives/read/page-numbers.ts#pageBounds.page.most`, count],
  ['0021', 'at most {} characters', `${core}/storage/models/column-values.ts#longestIndexedText`, count],
  ['0023', 'batches of up to {},', `${core}/transport/transport.ts#largestReceiveBatch`, count],
  ['0023', 'It is high ({})', 'packages/rabbitmq/src/options.ts#defaultDeliveryLimit', count],
  ['0026', '`timeoutMs` plus {}', 'packages/servicebus/src/connection.ts#graceMs', seconds],
  [
    '0033',
    'a batch of {} from one command would be {} spans',
    `${core}/transport/transport.ts#largestReceiveBatch`,
    count,
  ],
  [
    '0037',
    'longer than {}, or',
    `${core}/perspectives/read/processed-events.ts#waitBounds.usualSeconds`,
    (value) => `${value} s`,
  ],
  [
    '0037',
    '(at most {})',
    `${core}/perspectives/read/processed-events.ts#waitBounds.mostSeconds`,
    (value) => `${value} s`,
  ],
  ['0037', 'is polled {},', `${core}/perspectives/read/processed-events.ts#pollMs`, perSecond],
  ['0090', 'A host checks every {},', `${core}/perspectives/apply/work-share.ts#lookMs`, seconds],
  ['0090', 'leases expire after `leaseMs` ({})', `${postgres}/options.ts#defaults.leaseMs`, seconds],
  ['0090', 'at most once in {}', `${postgres}/leases.ts#gatherMs`, milliseconds],
  ['0090', 'polls every {}', `${core}/hosting/wiring/running-perspectives.ts#pollMs`, seconds],
  ['0092', 'about a second for {} events', `${core}/storage/archive/archive-events.ts#eventsPerFile`, count],
  ['0038', 'expires after `leaseMs` ({})', `${postgres}/options.ts#defaults.leaseMs`, seconds],
  ['0038', 'at most once in {}', `${postgres}/leases.ts#gatherMs`, milliseconds],
  ['0038', 'polls every {}', `${core}/hosting/wiring/running-perspectives.ts#pollMs`, seconds],
  ['0039', 'renews the claim every {},', `${core}/operations/operation-run.ts#longestRenewMs`, milliseconds],
  ['0039', 'changed progress every {},', `${core}/operations/operation-run.ts#progressMs`, milliseconds],
  ['0039', 'every {} on PostgreSQL', `${postgres}/options.ts#defaults.pollMs`, seconds],
  ['0039', 'every {} on SQLite', `${sqlite}/sqlite-operations.ts#longestPollMs`, seconds],
  ['0043', 'or after {}: each model once', `${core}/perspectives/rebuild/catch-up.ts#commitEveryMs`, seconds],
  ['0043', 'its last {} snapshots', `${core}/storage/models/perspective-storage.ts#retainedSnapshots`, plain],
  ['0043', 'stay in memory, up to {} characters', `${core}/perspectives/rebuild/catch-up.ts#mostCharacters`, millions],
  ['0043', 'statements of up to {} rows', `${postgres}/perspective-commit.ts#mostRows`, count],
  ['0043', 'rows or {} characters', `${postgres}/perspective-commit.ts#mostCharacters`, millions],
  ['0043', 'SQLite takes {} rows', `${sqlite}/sqlite-perspectives.ts#largestCommit`, count],
  [
    '0043',
    'sources are limited to {} characters',
    `${core}/perspectives/apply/model-buffer.ts#mostPendingCharacters`,
    millions,
  ],
  ['0044', 'expires after `leaseMs` ({})', `${sqlite}/options.ts#defaultLeaseMs`, seconds],
  ['0044', 'would not be updated for {}.', `${sqlite}/options.ts#defaultLeaseMs`, seconds],
  ['0044', 'a lease is renewed every {},', `${sqlite}/options.ts#defaultLeaseMs`, (ms) => seconds(ms / 2)],
  ['0044', 'Each process checks {} whether', `${sqlite}/other-writers.ts#lookMs`, perSecond],
  ['0094', 'up to {} messages', `${core}/transport/system-stream-worker.ts#largestBatch`, count],
  ['0049', 'notice the swap within {}.', `${core}/perspectives/own-version.ts#noticedWithinMs`, seconds],
  ['0049', 'the location of each perspective every {}.', `${core}/perspectives/own-version.ts#checkEveryMs`, seconds],
  ['0049', 'At most {} versions', `${core}/storage/models/model-tables.ts#mostRetained`, plain],
  ['0051', 'at most {} at a time', `packages/http/src/in-step.ts#mostAtOnce`, count],
  ['0052', 'at least {} apart', `${core}/perspectives/rebuild/catch-up.ts#commitEveryMs`, seconds],
  ['0052', 'normally {} times as far apart', `${core}/perspectives/rebuild/catch-up.ts#timesAsLong`, plain],
  ['0052', 'never more than {}.', `${core}/perspectives/rebuild/catch-up.ts#commitAtLeastEveryMs`, seconds],
  ['0052', 'after {} models', `${core}/perspectives/apply/model-buffer.ts#mostUnknown`, count],
  ['0052', 'combines {} events of these types', `${postgres}/all-events.ts#eventsPerRow`, count],
  ['0052', 'up to {} events of the log for each', `${postgres}/all-events.ts#rowsPerWanted`, plain],
  ['0052', 'asks for {} events at once', `${core}/perspectives/rebuild/catch-up.ts#largePage`, count],
  [
    '0052',
    'each of them, or {} MB',
    `${core}/storage/database/page-bytes.ts#mostPageBytes`,
    (bytes) => plain(bytes / 1_000_000),
  ],
  ['0059', 'renewed every {} by', 'packages/deploy/src/claims/held-claim.ts#heartbeatMs', seconds],
  ['0059', 'counts as gone after {}.', 'packages/deploy/src/claims/holder.ts#goneAfterMs', seconds],
  ['0059', 'suspended for {} in', 'packages/deploy/src/claims/holder.ts#goneAfterMs', seconds],
  ['0061', 'within {} fails the test', 'tests/lint/regular-expressions.ts#longestCheckMs', seconds],
  ['0061', '{} (`longestHeader`)', `packages/http/src/content-type.ts#longestHeader`, KiB],
  ['0061', '{} for credentials', `${core}/access/access-control.ts#longestCredential`, KiB],
  [
    '0061',
    '{} characters for idempotency keys',
    'packages/http/src/openapi/idempotency-parameter.ts#idempotencyKeyParameter.schema.maxLength',
    count,
  ],
  ['0061', 'at most {} characters unless', 'packages/generator/src/analysis/types/scalars.ts#maxPatternLength', count],
  [
    '0062',
    '{} times that of the query',
    'packages/graphql/src/operations/introspection-size.ts#timesWholeSchema',
    plain,
  ],
  ['0062', 'one of {} candidates', 'packages/graphql/src/operations/document-cache.ts#mostOnce', count],
  ['0063', 'the drain limit of {} with', 'packages/http/src/drain/drain.ts#defaultLimitMs', seconds],
  ['0065', 'sent by a caller has at most {} characters', `${core}/json/formats.ts#longestDecimal`, count],
  ['0065', '`must have at most {} characters`', `${core}/json/formats.ts#longestDecimal`, plain],
  [
    '0065',
    '# Decimals have at most {} characters',
    'packages/generator/src/emit/decimal-schema.ts#maxDecimalLength',
    count,
  ],
  ['0069', 'metadata have at most {},', `${core}/transport/rejected-letters.ts#largestRejectedBytes`, KiB],
  ['0069', 'fewer than {} rejected letters', `${core}/transport/rejected-letters.ts#mostRejectedLetters`, count],
  ['0069', 'then every {} with a `count`', `${core}/transport/rejection-tally.ts#windowMs`, seconds],
  ['0069', 'The count is reused for {},', `${core}/transport/rejected-letters.ts#recountMs`, seconds],
  ['0071', 'up to {} owners', `${core}/storage/sql/list-statement.ts#mostOwnersListed`, count],
  ['0071', 'longer than {} bytes', `${core}/perspectives/model-owner.ts#longestOwnerBytes`, count],
  // Two strings, of at most three bytes in UTF-8 for each character.
  [
    '0071',
    'a key may take {}.',
    `${core}/storage/models/column-values.ts#longestIndexedText`,
    (value) => count(2 * 3 * value),
  ],
  ['0072', 'Repetitions within {} become', `${core}/system-events/repeated-records.ts#windowMs`, seconds],
  ['0072', 'more than {} different resources', `${core}/system-events/repeated-records.ts#defaultMostOfGroup`, count],
  ['0074', 'measures the service {} times', 'tools/fuzz/run.mjs#mostRounds', count],
  ['0074', '| heap | {} |', 'tools/fuzz/check/memory.mjs#accepted.heap.bytes', MiB],
  ['0074', '| 16 MiB | {} |', 'tools/fuzz/check/memory.mjs#accepted.heap.share', percent],
  ['0074', '| resident set | {} |', 'tools/fuzz/check/memory.mjs#accepted.rss.bytes', MiB],
  ['0074', '| 96 MiB | {} |', 'tools/fuzz/check/memory.mjs#accepted.rss.share', percent],
  ['0074', 'fewer than {} requests', 'tools/fuzz/check/memory.mjs#leastRequests', count],
  [
    '0075',
    '`acceptClocksAhead` ({} minutes)',
    `${core}/transport/clock-limit.ts#defaultAheadMs`,
    (ms) => plain(ms / 60_000),
  ],
  ['0075', 'up to {} days ahead', `${core}/storage/log/event-ids.ts#mostAheadMs`, (ms) => plain(ms / 86_400_000)],
  ['0075', 'differ by more than {}.', `${core}/health/clock-check.ts#mostSkewMs`, milliseconds],
  [
    '0075',
    'retains the old id for {} hour',
    `${postgres}/event-order.ts#longestRetryMs`,
    (ms) => plain(ms / 3_600_000),
  ],
  [
    '0075',
    'retains the old id for {} hour',
    `${sqlite}/system-events.ts#longestRetryMs`,
    (ms) => plain(ms / 3_600_000),
  ],
  ['0080', 'Repetitions within {} become', `${core}/system-events/repeated-records.ts#windowMs`, seconds],
  ['0080', 'more than {} models', `${core}/access/access-records.ts#mostGrants`, count],
  ['0081', 'Repetitions within {} become', `${core}/system-events/repeated-records.ts#windowMs`, seconds],
  ['0081', 'After {} kinds', `${core}/system-events/repeated-records.ts#defaultMostOfGroup`, count],
  ['0081', 'up to {} a minute', `${core}/system-events/repeated-records.ts#defaultMostOfGroup`, count],
  ['0082', 'for {} attempts', `${core}/transport/receiving.ts#mostReceiveAttempts`, count],
  ['0082', 'pauses of up to {}. It', `${core}/background/retry-delay.ts#usualLongestMs`, seconds],
  ['0082', 'at most {} streams', `${core}/transport/closed-destinations.ts#mostHeldBack`, count],
  ['0082', 'the oldest {} messages', `${core}/transport/transport-worker.ts#pageSize`, count],
  ['0083', 'block of {} positions', `${core}/storage/models/model-sources.ts#positionsPerBlock`, count],
  ['0083', 'A stream of more than {} events', `${core}/storage/models/model-sources.ts#positionsPerBlock`, count],
  ['0083', '{} times as many rows', `${core}/storage/models/model-sources.ts#positionsPerBlock`, count],
  ['0083', 'for the first {} positions', `${core}/perspectives/apply/has-source.ts#scannedPositions`, count],
  ['0083', 'in streams of more than {} events', `${core}/perspectives/apply/has-source.ts#scannedPositions`, count],
  [
    '0089',
    'pages of the log, {} events of their types each',
    `${core}/perspectives/apply/perspective-round.ts#pageSize`,
    count,
  ],
  ['0089', 'at most {} events of the log behind', `${core}/perspectives/apply/place-groups.ts#nearby`, count],
  [
    '0089',
    'looks for new events every {} until',
    `${core}/perspectives/apply/perspective-round.ts#lookAgainMs`,
    milliseconds,
  ],
  [
    '0089',
    'up to {} characters of models',
    `${core}/perspectives/apply/followed-perspective.ts#mostCharacters`,
    millions,
  ],
  ['0089', 'ends after {} at the latest', `${core}/perspectives/apply/perspective-round.ts#roundMs`, seconds],
];

export const decisionFigures: readonly DecisionFigure[] = rows.map(([decision, words, source, as]) => ({
  decision,
  words,
  source,
  as,
}));
