/** What an id belongs to. One match is opened at once. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Match } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { Shown } from '../parts/states.js';
import { Table, type Column } from '../parts/table.js';
import { Link, Text, Time } from '../parts/texts.js';
import { View } from '../parts/view.js';
import { href, place, type Query } from '../shell/router.js';

const names: Readonly<Record<Match['kind'], string>> = {
  event: 'Event',
  command: 'Command',
  stream: 'Stream',
  correlation: 'Causal chain',
  record: 'Audit record',
  deadLetter: 'Dead letter',
  user: 'User',
};

interface Target {
  readonly to: readonly string[];
  readonly query?: Query;
}

function targetOf({ kind, id }: Match): Target {
  switch (kind) {
    case 'event':
    case 'record':
      return { to: ['events', id] };
    case 'command':
      return { to: ['audit'], query: { message: id } };
    case 'stream':
      return { to: ['streams', id] };
    case 'correlation':
      return { to: ['chains', id] };
    case 'deadLetter':
      return { to: ['dead-letters', id] };
    case 'user':
      return { to: ['audit'], query: { user: id } };
  }
}

const columns: readonly Column<Match>[] = [
  {
    title: 'Found',
    cell: (match) => <Link {...targetOf(match)}>{names[match.kind]}</Link>,
  },
  { title: 'Type', cell: ({ type }) => <Text value={type} /> },
  { title: 'Time', cell: ({ at }) => <Time value={at} /> },
];

export function SearchView(): JSX.Element {
  const id = place.value.query.get('id') ?? '';
  const found = useResource(id, (signal) => call('GET /search', { query: { id }, signal }));
  const only = found.value?.matches.length === 1 ? found.value.matches[0]! : null;
  useEffect(() => {
    if (only === null) return;
    const { to, query } = targetOf(only);
    location.replace(href(to, query));
  }, [only]);
  return (
    <View heading={id} label="Search">
      <Shown of={found}>
        {({ matches }) => (
          <Table
            label="What the id belongs to"
            columns={columns}
            rows={matches}
            keyOf={({ kind, id: matched }) => kind + matched}
            empty="No event, command, stream, causal chain, dead letter or user has this id, or you do not see its tenant."
          />
        )}
      </Shown>
    </View>
  );
}
