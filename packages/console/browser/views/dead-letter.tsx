/** One dead letter: why it failed, and its body. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DeadLetterDetails } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { JsonView } from '../parts/json-view.js';
import { Shown } from '../parts/states.js';
import { Status } from '../parts/status.js';
import { Count, Link, Text, Time, WholeId } from '../parts/texts.js';
import { Facts, Section, View } from '../parts/view.js';
import { visibleText } from '../parts/visible-text.js';
import { go, href } from '../shell/router.js';
import { Discard, EditAndReplay, Replay } from './dead-letter-actions.js';

export function DeadLetterView({ id }: { readonly id: string }): JSX.Element {
  const [edited, setEdited] = useState<string | null>(null);
  const details = useResource(id, (signal) => call('GET /dead-letters/:id', { params: { id }, signal }));
  const leave = (): void => go(href(['dead-letters']));
  const actions = details.value !== null && edited === null && (
    <>
      <Replay selection={{ ids: [id] }} isDisabled={false} changed={leave} />
      <EditAndReplay details={details.value} changed={setEdited} />
      <Discard selection={{ ids: [id] }} isDisabled={false} changed={leave} />
    </>
  );
  return (
    <View heading={details.value?.deadLetter.messageType ?? id} label="Dead letter" actions={actions}>
      {edited !== null && (
        <p class="panel">
          <span>
            It was replaced by the message <WholeId value={edited} />, and is resolved.{' '}
            <Link to={['search']} query={{ id: edited }}>
              Look for the new message
            </Link>
          </span>
        </p>
      )}
      <Shown of={details}>{(value) => <Details details={value} />}</Shown>
    </View>
  );
}

function Details({
  details: { deadLetter, errorMessage, message },
}: {
  readonly details: DeadLetterDetails;
}): JSX.Element {
  return (
    <>
      <Facts
        of={[
          ['Cause', <Status tone="bad">{deadLetter.cause}</Status>],
          ['Direction', deadLetter.direction],
          ['Attempts', <Count value={deadLetter.attempts} />],
          ['First failure', <Time value={deadLetter.firstFailedAt} />],
          ['Last failure', <Time value={deadLetter.lastFailedAt} />],
          ['Destination', <Text value={deadLetter.destination} none="none" />],
          ['Origin', <Text value={deadLetter.provenOrigin ?? deadLetter.origin} />],
          ['Tenant', <Text value={deadLetter.tenant} none="none" />],
          ['Stream', <WholeId value={deadLetter.streamId} to={['streams', deadLetter.streamId]} />],
          ['Message', <WholeId value={deadLetter.messageId} />],
          ['Correlation', <WholeId value={deadLetter.correlationId} to={['chains', deadLetter.correlationId]} />],
        ]}
      />
      <Section heading="Error">
        <p class="error-text">
          <Text value={`${deadLetter.errorName}: ${errorMessage}`} />
        </p>
      </Section>
      {!deadLetter.isEditable && (
        <p class="note">
          An outgoing event is in the log and cannot change, so it can be replayed or discarded, but not edited.
        </p>
      )}
      <Section heading="Body">
        <MessageBody body={message.body} isTruncated={message.isTruncated} />
      </Section>
      <Section heading="Metadata">
        <JsonView
          value={{
            timestamp: message.timestamp,
            causationId: message.causationId,
            scope: message.scope,
            metadata: message.metadata,
          }}
          label="Metadata of the message"
        />
      </Section>
    </>
  );
}

/** The body is a text that may not be JSON: this can be why it failed. */
function MessageBody({ body, isTruncated }: { readonly body: string; readonly isTruncated: boolean }): JSX.Element {
  const value = isTruncated ? undefined : parsed(body);
  if (value !== undefined) return <JsonView value={value} label="Body of the message" />;
  return (
    <>
      <p class="note">
        {isTruncated
          ? 'The body is too long to show. This is the beginning.'
          : 'The body is not JSON. This is its text.'}
      </p>
      <pre class="scroll excerpt" role="region" aria-label="Body of the message" tabIndex={0}>
        <bdi>{visibleText(body.slice(0, 20_000))}</bdi>
      </pre>
    </>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
