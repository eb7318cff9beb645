/** The columns of audit records, in the explorer and wherever some of them are listed. */
import type { JSX } from 'preact';
import type { AuditEntry } from '../../src/contract/index.js';
import { Status, type Tone } from '../parts/status.js';
import type { Column } from '../parts/table.js';
import { Id, Link, Text, Time } from '../parts/texts.js';

const resultTones: Readonly<Record<AuditEntry['result'], Tone>> = {
  succeeded: 'ok',
  granted: 'info',
  denied: 'warn',
  failed: 'bad',
};

export function ResultStatus({ entry }: { readonly entry: AuditEntry }): JSX.Element {
  return <Status tone={resultTones[entry.result]}>{entry.result}</Status>;
}

/** The user, with the tenant that they belong to when they acted for another one. */
export function Actor({ entry }: { readonly entry: AuditEntry }): JSX.Element {
  const { userId, userName, homeTenantId } = entry;
  if (userId === null) return <span class="none">no user</span>;
  return (
    <>
      <Link to={['audit']} query={{ user: userId }}>
        <Text value={userName ?? userId} />
      </Link>
      {homeTenantId !== null && (
        <span class="none">
          {' '}
          of <Text value={homeTenantId} />
        </span>
      )}
    </>
  );
}

/** Where an entry is explained: the event, or for commands and others the record in the system stream. */
export function placeOfEntry({ kind, id, messageId }: AuditEntry): readonly string[] {
  return ['events', kind === 'event' && messageId !== null ? messageId : id];
}

export const auditColumns: readonly Column<AuditEntry>[] = [
  { title: 'Time', kind: 'fit', cell: ({ at }) => <Time value={at} /> },
  { title: 'Kind', kind: 'fit', cell: ({ kind }) => kind },
  {
    title: 'Type',
    cell: (entry) => (
      <Link to={placeOfEntry(entry)}>
        <Text value={entry.type} />
      </Link>
    ),
  },
  { title: 'About', cell: ({ about }) => <Text value={about} /> },
  { title: 'Result', kind: 'fit', cell: (entry) => <ResultStatus entry={entry} /> },
  { title: 'User', cell: (entry) => <Actor entry={entry} /> },
  { title: 'Tenant', cell: ({ tenantId }) => <Text value={tenantId} /> },
  { title: 'Reason', cell: ({ reason }) => <Text value={reason} /> },
  {
    title: 'Stream',
    kind: 'fit',
    cell: ({ streamId }) => <Id value={streamId} to={streamId === null ? null : ['streams', streamId]} />,
  },
  {
    title: 'Chain',
    kind: 'fit',
    cell: ({ correlationId }) => <Id value={correlationId} to={['chains', correlationId]} />,
  },
];
