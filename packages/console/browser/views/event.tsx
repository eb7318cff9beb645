/** One event: its body, who caused it and why, and what it changed in models. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AuditEntry, EventBody, EventDetails } from '../../src/contract/index.js';
import { call, send } from '../api/client.js';
import { Problem } from '../api/problem.js';
import { useResource } from '../api/resource.js';
import { DocumentView } from '../parts/document.js';
import { saveFile } from '../parts/save-file.js';
import { JsonView } from '../parts/json-view.js';
import { ProblemNote, Shown } from '../parts/states.js';
import { Status } from '../parts/status.js';
import { Link, Text, Time, WholeId } from '../parts/texts.js';
import { TraceId } from '../parts/trace-id.js';
import { Facts, Section, View } from '../parts/view.js';
import { visibleText } from '../parts/visible-text.js';
import { Actor, placeOfEntry, ResultStatus } from './audit-columns.js';
import { ChainSection } from './chain.js';
import { ModelChanges } from './model-changes.js';

export function EventView({ id }: { readonly id: string }): JSX.Element {
  const event = useResource(id, (signal) => call('GET /events/:id', { params: { id }, signal }));
  return (
    <View heading={event.value?.type ?? id} label={event.value?.isSystem === true ? 'System event' : 'Event'}>
      <Shown of={event}>{(details) => <Details event={details} />}</Shown>
    </View>
  );
}

function Details({ event }: { readonly event: EventDetails }): JSX.Element {
  const { audit, command } = event;
  return (
    <>
      <Facts of={factsOf(event)} />
      {command !== null && <CommandNote command={command} />}
      <Section heading="Body" actions={<SaveBody id={event.id} />}>
        <Marks body={event.body} />
        <DocumentView document={event.body} label="Body of the event" />
      </Section>
      {!event.isSystem && <ModelChanges id={event.id} />}
      <ChainSection correlation={event.correlationId} current={audit?.id ?? event.id} />
      <Section heading="Metadata">
        <JsonView value={{ scope: event.scope, metadata: event.metadata }} label="Metadata of the event" />
      </Section>
    </>
  );
}

function factsOf(event: EventDetails): Parameters<typeof Facts>[0]['of'] {
  const { audit, cause, origin } = event;
  return [
    ['Time', <Time value={event.at} />],
    ['User', audit === null ? <Text value={event.scope['userId']} none="no user" /> : <Actor entry={audit} />],
    ['Tenant', <Text value={event.tenantId} none="none" />],
    ['Reason', <Text value={audit?.reason} none="none given" />],
    [
      'Stream',
      <>
        <WholeId value={event.streamId} to={['streams', event.streamId]} /> at position {event.position}
      </>,
    ],
    ['Cause', cause === null ? <Text value={event.causationId} none="none" /> : <CauseLink cause={cause} />],
    ['Correlation', <WholeId value={event.correlationId} to={['chains', event.correlationId]} />],
    ['Trace', <TraceId value={event.traceId} />],
    ['Event', <WholeId value={event.id} />],
    [
      'Origin',
      origin === null ? (
        'this service'
      ) : (
        <>
          <Text value={origin.host} />{' '}
          <Status tone={origin.isProven ? 'ok' : 'warn'}>{origin.isProven ? 'proven' : 'claimed'}</Status>
        </>
      ),
    ],
  ];
}

function CauseLink({ cause }: { readonly cause: NonNullable<EventDetails['cause']> }): JSX.Element {
  const text = <Text value={cause.type ?? cause.id} />;
  if (cause.kind === 'event') return <Link to={['events', cause.id]}>{text}</Link>;
  return (
    <Link to={['audit']} query={{ message: cause.id }}>
      {text}
    </Link>
  );
}

function CommandNote({ command }: { readonly command: AuditEntry }): JSX.Element {
  return (
    <p class="panel">
      <span>
        Appended by the command{' '}
        <Link to={placeOfEntry(command)}>
          <Text value={command.type} />
        </Link>{' '}
        of <Actor entry={command} /> <ResultStatus entry={command} />
        {command.reason !== null && (
          <>
            {' '}
            because “<Text value={command.reason} />”
          </>
        )}
      </span>
    </p>
  );
}

/** Which values of the body are erased, secret or personal. */
function Marks({ body }: { readonly body: EventBody }): JSX.Element | null {
  const groups = [
    { tone: 'bad', name: 'erased', pointers: body.erased },
    { tone: 'warn', name: 'secret, never stored', pointers: body.secret },
    { tone: 'info', name: 'personal', pointers: body.personal },
  ] as const;
  if (groups.every(({ pointers }) => pointers.length === 0)) return null;
  return (
    <ul class="marks">
      {groups.flatMap(({ tone, name, pointers }) =>
        pointers.map((pointer) => (
          <li key={name + pointer}>
            <code>{visibleText(pointer)}</code> <Status tone={tone}>{name}</Status>
          </li>
        )),
      )}
    </ul>
  );
}

function SaveBody({ id }: { readonly id: string }): JSX.Element {
  const [problem, setProblem] = useState<Problem | null>(null);
  const save = async (): Promise<void> => {
    setProblem(null);
    try {
      await saveFile(await send('GET /events/:id/body', { params: { id } }), `${id}.json`);
    } catch (error) {
      setProblem(
        error instanceof Problem ? error : new Problem(0, { title: 'The download failed', detail: String(error) }),
      );
    }
  };
  return (
    <>
      <button type="button" onClick={() => void save()}>
        Download
      </button>
      {problem !== null && <ProblemNote problem={problem} />}
    </>
  );
}
