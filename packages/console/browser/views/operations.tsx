/** The operations that operators requested: those that run, and those that have ended. */
import type { JSX } from 'preact';
import type { RequestedOperation } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { JsonView } from '../parts/json-view.js';
import { Shown } from '../parts/states.js';
import { Table, type Column } from '../parts/table.js';
import { Link, Text, Time, WholeId } from '../parts/texts.js';
import { Facts, Section, View } from '../parts/view.js';
import { CancelOperation, OperationProgress, OperationStatus } from './operation-note.js';

const everyMs = 2_000;

function columnsFor(changed: () => void): readonly Column<RequestedOperation>[] {
  return [
    {
      title: 'Operation',
      cell: ({ id, kind }) => (
        <Link to={['operations', id]}>
          <Text value={kind} />
        </Link>
      ),
    },
    { title: 'Of', cell: ({ target }) => <Text value={target} /> },
    { title: 'State', kind: 'fit', cell: (operation) => <OperationStatus operation={operation} /> },
    { title: 'Progress', cell: (operation) => <OperationProgress operation={operation} /> },
    { title: 'Requested', kind: 'fit', cell: ({ requestedAt }) => <Time value={requestedAt} /> },
    { title: 'By', cell: ({ requestedBy }) => <Text value={requestedBy} /> },
    { title: 'Reason', kind: 'long', cell: ({ reason }) => <Text value={reason} /> },
    { title: 'Actions', kind: 'fit', cell: (operation) => <CancelOperation operation={operation} changed={changed} /> },
  ];
}

export function OperationsView(): JSX.Element {
  const operations = useResource('operations', (signal) => call('GET /operations', { signal }), { everyMs });
  const columns = columnsFor(() => operations.reload());
  return (
    <View
      heading="Operations"
      lead="Long work that an operator requested. A host of the service runs it, and another one continues if that host is lost."
    >
      <Shown of={operations}>
        {({ open, recent }) => (
          <>
            <Section heading="Open">
              <Table
                label="Open operations"
                columns={columns}
                rows={open}
                keyOf={({ id }) => id}
                empty="No operation is open. Rebuilds, retries and bulk changes of dead letters appear here."
              />
            </Section>
            <Section heading="Ended">
              <Table
                label="Ended operations"
                columns={columns}
                rows={recent}
                keyOf={({ id }) => id}
                empty="No operation has ended yet."
              />
            </Section>
          </>
        )}
      </Shown>
    </View>
  );
}

export function OperationView({ id }: { readonly id: string }): JSX.Element {
  const operation = useResource(id, (signal) => call('GET /operations/:id', { params: { id }, signal }), { everyMs });
  return (
    <View
      heading={operation.value?.kind ?? id}
      label="Operation"
      actions={
        operation.value !== null && <CancelOperation operation={operation.value} changed={() => operation.reload()} />
      }
    >
      <Shown of={operation}>
        {(value) => (
          <>
            <Facts
              of={[
                ['State', <OperationStatus operation={value} />],
                ['Progress', <OperationProgress operation={value} />],
                ['Of', <Text value={value.target} />],
                ['Requested by', <Text value={value.requestedBy} />],
                ['Reason', <Text value={value.reason} />],
                ['Requested', <Time value={value.requestedAt} />],
                ['Started', <Time value={value.startedAt} />],
                ['Ended', <Time value={value.finishedAt} />],
                ['Attempts', value.attempts],
                ['Operation', <WholeId value={value.id} />],
              ]}
            />
            {value.error !== null && (
              <div class="problem">
                <p class="problem-title">The operation failed</p>
                <p>
                  <Text value={value.error} />
                </p>
              </div>
            )}
            <Section heading="Arguments">
              <JsonView value={value.arguments} label="Arguments" />
            </Section>
            {value.result !== null && (
              <Section heading="Result">
                <JsonView value={value.result} label="Result" />
              </Section>
            )}
          </>
        )}
      </Shown>
    </View>
  );
}
