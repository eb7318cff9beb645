/** The audit: who did what, when and why, with filters in the address. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AuditEntry } from '../../src/contract/index.js';
import { call, send } from '../api/client.js';
import { Problem } from '../api/problem.js';
import { announce } from '../parts/announcements.js';
import { saveFile } from '../parts/save-file.js';
import { EndlessTable } from '../parts/endless-table.js';
import { Filters, type Filter } from '../parts/filters.js';
import { ProblemNote } from '../parts/states.js';
import { View } from '../parts/view.js';
import { place, type Query } from '../shell/router.js';
import { session } from '../shell/session.js';
import { auditColumns } from './audit-columns.js';

const pageSize = 100;

const filters: readonly Filter[] = [
  { name: 'user', label: 'User' },
  { name: 'tenant', label: 'Tenant' },
  { name: 'type', label: 'Type', placeholder: 'orders.OrderCancelled' },
  { name: 'resource', label: 'Stream', placeholder: 'UUID' },
  { name: 'correlation', label: 'Correlation', placeholder: 'UUID' },
  { name: 'message', label: 'Event or command', placeholder: 'UUID' },
  {
    name: 'level',
    label: 'Level',
    kind: 'choice',
    choices: [
      ['', 'All levels'],
      ['Warning', 'Warning and above'],
      ['Critical', 'Critical'],
    ],
  },
  { name: 'from', label: 'From', kind: 'time' },
  { name: 'to', label: 'Before', kind: 'time' },
  {
    name: 'first',
    label: 'Order',
    kind: 'choice',
    choices: [
      ['', 'Newest first'],
      ['oldest', 'Oldest first'],
    ],
  },
];

export function AuditView(): JSX.Element {
  const isOperator = session.value?.isOperator === true;
  const shown = filters.filter(({ name }) => isOperator || name !== 'tenant');
  const query = Object.fromEntries(shown.map(({ name }) => [name, place.value.query.get(name)]));
  return (
    <View heading="Audit" lead="Every audited event, command and access to the service.">
      <Filters of={shown} actions={<Export query={query} />} />
      <EndlessTable<AuditEntry>
        label="Audit records"
        columns={auditColumns}
        loadKey={JSON.stringify(query)}
        load={async (after, signal) => {
          const { entries, next } = await call('GET /audit', { query: { ...query, limit: pageSize, after }, signal });
          return { items: entries, next };
        }}
        keyOf={({ id }) => id}
        empty="No record matches. Remove a filter, or check that the type is audited."
      />
    </View>
  );
}

/** Saves what the filters select as a file. The service limits its size, and records the export. */
function Export({ query }: { readonly query: Query }): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const save = async (format: 'csv' | 'ndjson'): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await saveFile(await send('GET /audit/export', { query: { ...query, format } }), `audit.${format}`);
      announce(`Saved audit.${format}. The export was recorded.`);
    } catch (error) {
      setProblem(
        error instanceof Problem ? error : new Problem(0, { title: 'The export failed', detail: String(error) }),
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void save('csv')}>
        {isBusy ? 'Exporting…' : 'Export CSV'}
      </button>
      <button type="button" disabled={isBusy} onClick={() => void save('ndjson')}>
        Export NDJSON
      </button>
      {problem !== null && <ProblemNote problem={problem} />}
    </>
  );
}
