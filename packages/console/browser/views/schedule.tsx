/** Commands that run later: run one now, or cancel it. */
import type { JSX } from 'preact';
import type { ScheduledCommand } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { Action } from '../parts/action.js';
import { textIn } from '../parts/form.js';
import { NextPage, usePages } from '../parts/pages.js';
import { Shown } from '../parts/states.js';
import { Status } from '../parts/status.js';
import { Table, type Column } from '../parts/table.js';
import { Count, Id, Text, Time } from '../parts/texts.js';
import { View } from '../parts/view.js';

const tones = { waiting: 'quiet', running: 'info', retrying: 'warn' } as const;

function columnsFor(changed: () => void): readonly Column<ScheduledCommand>[] {
  return [
    { title: 'Due', kind: 'fit', cell: ({ dueAt }) => <Time value={dueAt} /> },
    { title: 'In', kind: 'fit', cell: ({ dueAt }) => <Time value={dueAt} isRelative /> },
    { title: 'Command', cell: ({ type }) => <Text value={type} /> },
    { title: 'Key', cell: ({ key }) => <Text value={key} /> },
    { title: 'State', kind: 'fit', cell: ({ state }) => <Status tone={tones[state]}>{state}</Status> },
    { title: 'Attempts', kind: 'number', cell: ({ attempts }) => <Count value={attempts} /> },
    { title: 'Tenant', cell: ({ tenant }) => <Text value={tenant} /> },
    {
      title: 'Chain',
      kind: 'fit',
      cell: ({ correlationId }) => <Id value={correlationId} to={['chains', correlationId]} />,
    },
    {
      title: 'Actions',
      kind: 'fit',
      cell: (command) => (
        <div class="actions">
          <RunNow command={command} changed={changed} />
          {!command.isRecurring && <CancelCommand command={command} changed={changed} />}
        </div>
      ),
    },
  ];
}

interface CommandProps {
  readonly command: ScheduledCommand;
  readonly changed: () => void;
}

function RunNow({ command: { id, type, isRecurring }, changed }: CommandProps): JSX.Element {
  return (
    <Action
      label="Run now"
      question={`Run ${type} now?`}
      consequence={
        <p>A host runs the command at once, not at its due time.{isRecurring && ' Its later runs are not changed.'}</p>
      }
      run={async (form) => {
        await call('POST /schedule/:id/run', { params: { id }, body: { reason: textIn(form, 'reason') } });
        changed();
        return `${type} is due now.`;
      }}
    />
  );
}

function CancelCommand({ command: { id, type }, changed }: CommandProps): JSX.Element {
  return (
    <Action
      label="Cancel"
      question={`Cancel ${type}?`}
      consequence={<p>The command is removed from the schedule, and never runs.</p>}
      isDestructive
      run={async (form) => {
        await call('POST /schedule/:id/cancel', { params: { id }, body: { reason: textIn(form, 'reason') } });
        changed();
        return `Cancelled ${type}.`;
      }}
    />
  );
}

export function ScheduleView(): JSX.Element {
  const { after, show } = usePages();
  const schedule = useResource(
    `schedule ${after}`,
    (signal) => call('GET /schedule', { query: { after, limit: 100 }, signal }),
    { everyMs: 5_000 },
  );
  return (
    <View
      heading="Schedule"
      lead="Commands that run later, in the order of their due times. Their bodies are not shown."
    >
      <Shown of={schedule}>
        {({ commands, next }) => (
          <>
            <Table
              label="Scheduled commands"
              columns={columnsFor(() => schedule.reload())}
              rows={commands}
              keyOf={({ id }) => id}
              empty="No command is scheduled."
            />
            <NextPage next={next} show={show} />
          </>
        )}
      </Shown>
    </View>
  );
}
