/** Messages that could not be delivered or processed, with bulk actions. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DeadLetterSummary } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { Filters, type Filter } from '../parts/filters.js';
import { formatted } from '../parts/formats.js';
import { NextPage, usePages } from '../parts/pages.js';
import { Shown } from '../parts/states.js';
import { Status } from '../parts/status.js';
import { Table, type Column } from '../parts/table.js';
import { Count, Id, Link, Text, Time } from '../parts/texts.js';
import { View } from '../parts/view.js';
import { place } from '../shell/router.js';
import { session } from '../shell/session.js';
import { Discard, Replay } from './dead-letter-actions.js';

const filters: readonly Filter[] = [
  {
    name: 'direction',
    label: 'Direction',
    kind: 'choice',
    choices: [
      ['', 'All directions'],
      ['incoming', 'Incoming'],
      ['outgoing', 'Outgoing'],
      ['scheduled', 'Scheduled'],
    ],
  },
  { name: 'cause', label: 'Cause', placeholder: 'AttemptsExhausted' },
];

export function DeadLettersView(): JSX.Element {
  const { query } = place.value;
  const [direction, cause] = [query.get('direction'), query.get('cause')];
  const { after, show } = usePages();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const list = useResource(
    `${direction} ${cause} ${after}`,
    (signal) => call('GET /dead-letters', { query: { direction, cause, after, limit: 100 }, signal }),
    { everyMs: 5_000 },
  );
  const changed = (): void => {
    setChosen(new Set());
    list.reload();
  };
  // A dead letter that another operator has resolved can no longer be chosen.
  const ids = (list.value?.deadLetters ?? []).map(({ id }) => id).filter((id) => chosen.has(id));
  return (
    <View
      heading="Dead letters"
      lead="Messages and scheduled commands that failed for good. They wait here until an operator replays or discards them."
    >
      <Filters of={filters} />
      <Shown of={list}>
        {({ deadLetters, next }) => (
          <>
            {deadLetters.length > 0 && (
              <div class="actions" role="group" aria-label="Actions on dead letters">
                <span class="count">{formatted.count(ids.length, 'chosen dead letter')}</span>
                <Replay selection={{ ids }} changed={changed} isDisabled={ids.length === 0} />
                <Discard selection={{ ids }} changed={changed} isDisabled={ids.length === 0} />
                {session.value?.isOperator === true && cause !== null && (
                  <>
                    <Replay selection={{ cause, direction }} changed={changed} isDisabled={false} />
                    {direction === null && (
                      <Discard selection={{ cause, direction: null }} changed={changed} isDisabled={false} />
                    )}
                  </>
                )}
              </div>
            )}
            <Table
              label="Dead letters"
              columns={columnsFor(deadLetters, new Set(ids), setChosen)}
              rows={deadLetters}
              keyOf={({ id }) => id}
              empty={
                direction === null && cause === null
                  ? 'There are no dead letters: every message was delivered or processed.'
                  : 'No dead letter matches. Clear the filters to see all.'
              }
            />
            <NextPage next={next} show={show} />
          </>
        )}
      </Shown>
    </View>
  );
}

function columnsFor(
  rows: readonly DeadLetterSummary[],
  chosen: ReadonlySet<string>,
  choose: (ids: ReadonlySet<string>) => void,
): readonly Column<DeadLetterSummary>[] {
  const choice: Column<DeadLetterSummary> = {
    title: 'Choose',
    kind: 'fit',
    cell: ({ id, messageType }) => (
      <input
        type="checkbox"
        aria-label={`Choose ${messageType} ${id}`}
        checked={chosen.has(id)}
        onChange={(event) => {
          const changed = new Set(chosen);
          if (event.currentTarget.checked) changed.add(id);
          else changed.delete(id);
          choose(changed);
        }}
      />
    ),
  };
  const isAll = rows.length > 0 && chosen.size === rows.length;
  const header = {
    ...choice,
    head: (
      <input
        type="checkbox"
        aria-label="Choose all on this page"
        checked={isAll}
        onChange={() => choose(new Set(isAll ? [] : rows.map(({ id }) => id)))}
      />
    ),
  };
  return [...(session.value?.mayAct === true ? [header] : []), ...columns];
}

const columns: readonly Column<DeadLetterSummary>[] = [
  { title: 'Last failure', kind: 'fit', cell: ({ lastFailedAt }) => <Time value={lastFailedAt} /> },
  {
    title: 'Message',
    cell: ({ id, messageType }) => (
      <Link to={['dead-letters', id]}>
        <Text value={messageType} />
      </Link>
    ),
  },
  { title: 'Direction', kind: 'fit', cell: ({ direction }) => direction },
  { title: 'Cause', kind: 'fit', cell: ({ cause }) => <Status tone="bad">{cause}</Status> },
  { title: 'Error', cell: ({ errorName }) => <Text value={errorName} /> },
  { title: 'Attempts', kind: 'number', cell: ({ attempts }) => <Count value={attempts} /> },
  { title: 'Destination', cell: ({ destination }) => <Text value={destination} /> },
  { title: 'Tenant', cell: ({ tenant }) => <Text value={tenant} /> },
  {
    title: 'Chain',
    kind: 'fit',
    cell: ({ correlationId }) => <Id value={correlationId} to={['chains', correlationId]} />,
  },
];
