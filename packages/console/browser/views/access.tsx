/** Denied access over time, and who has which roles and permissions. */
import type { JSX } from 'preact';
import type { Denials, UserAccess } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { Chart } from '../parts/chart.js';
import { Filters, type Filter } from '../parts/filters.js';
import { formatted } from '../parts/formats.js';
import { Shown } from '../parts/states.js';
import { Table, type Column } from '../parts/table.js';
import { Count, Link, Text, Time } from '../parts/texts.js';
import { Section, View } from '../parts/view.js';
import { place } from '../shell/router.js';
import { auditColumns } from './audit-columns.js';

const filters: readonly Filter[] = [
  { name: 'from', label: 'Denials from', kind: 'time' },
  { name: 'to', label: 'Denials before', kind: 'time' },
  { name: 'user', label: 'Roles of the user' },
];

const roleColumns: readonly Column<UserAccess>[] = [
  {
    title: 'User',
    cell: ({ userId }) =>
      userId === null ? (
        <Text value={null} />
      ) : (
        <Link to={['audit']} query={{ user: userId }}>
          <Text value={userId} />
        </Link>
      ),
  },
  { title: 'Tenant', cell: ({ tenantId }) => <Text value={tenantId} /> },
  { title: 'Roles', kind: 'long', cell: ({ roles }) => <Text value={roles.join(', ')} none="none" /> },
  {
    title: 'Permissions',
    kind: 'long',
    cell: ({ permissions }) => <Text value={permissions.join(', ')} none="none" />,
  },
  { title: 'From', cell: ({ source }) => <Text value={source} /> },
  { title: 'Seen', kind: 'fit', cell: ({ seenAt }) => <Time value={seenAt} /> },
  { title: 'Changed', kind: 'fit', cell: ({ changedAt }) => <Time value={changedAt} /> },
  { title: 'By', cell: ({ changedBy }) => <Text value={changedBy} /> },
];

export function AccessView(): JSX.Element {
  const { query } = place.value;
  const [from, to, user] = [query.get('from'), query.get('to'), query.get('user')];
  const denials = useResource(`${from} ${to}`, (signal) =>
    call('GET /access/denials', { query: { from, to }, signal }),
  );
  const roles = useResource(user ?? '', (signal) => call('GET /access/roles', { query: { user }, signal }));
  return (
    <View heading="Access" lead="Who was denied access, and who has which roles and permissions.">
      <Filters of={filters} />
      <Section heading="Denials">
        <Shown of={denials}>{(value) => <DenialTables denials={value} />}</Shown>
      </Section>
      <Section heading="Roles and permissions">
        <Shown of={roles}>
          {({ users, isComplete }) => (
            <>
              <Table
                label="Roles and permissions"
                columns={roleColumns}
                rows={users}
                keyOf={({ userId, tenantId, source }) => `${tenantId} ${userId} ${source}`}
                empty="No user has authenticated yet, or the service does not audit authentication. Users appear with the roles that their last credential had."
              />
              {!isComplete && <p class="note">There are further users. Search for one above.</p>}
            </>
          )}
        </Shown>
      </Section>
    </View>
  );
}

function DenialTables({ denials }: { readonly denials: Denials }): JSX.Element {
  const { total, counts, intervalMs, from, isComplete } = denials;
  const start = Date.parse(from);
  const times = counts.map((_count, index) => new Date(start + index * intervalMs).toISOString());
  return (
    <>
      <p>
        {formatted.count(total, 'denial')} from <Time value={from} /> to <Time value={denials.to} />
        {!isComplete && ', counted from the latest on; there are more'}.
      </p>
      {total > 0 && (
        <>
          <Chart
            label="Denials"
            unit={`per ${formatted.duration(intervalMs)}`}
            times={times}
            series={[{ name: 'denied', tone: 'warn', values: counts }]}
          />
          <div class="side-by-side">
            <Counts
              label="By user"
              rows={denials.byUser.map(({ userId, tenantId, count }) => [
                [userId ?? 'anonymous', tenantId].filter((part) => part !== null).join(' of '),
                count,
              ])}
            />
            <Counts
              label="By permission"
              rows={denials.byPermission.map(({ permission, count }) => [permission, count])}
            />
            <Counts
              label="By resource"
              rows={denials.byResource.map(({ resourceType, resourceId, count }) => [
                `${resourceType} ${resourceId ?? ''}`,
                count,
              ])}
            />
          </div>
          <Table label="Latest denials" columns={auditColumns} rows={denials.newest} keyOf={({ id }) => id} empty="" />
        </>
      )}
    </>
  );
}

type Counted = readonly [name: string, count: number];

function Counts({ label, rows }: { readonly label: string; readonly rows: readonly Counted[] }): JSX.Element {
  const columns: readonly Column<Counted>[] = [
    { title: label, kind: 'long', cell: ([name]) => <Text value={name} /> },
    { title: 'Denials', kind: 'number', cell: ([, count]) => <Count value={count} /> },
  ];
  return <Table label={label} columns={columns} rows={rows} keyOf={([name]) => name} empty="None." />;
}
