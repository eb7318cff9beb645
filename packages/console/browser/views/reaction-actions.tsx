/** What an operator can do with a reaction. */
import type { JSX } from 'preact';
import { call } from '../api/client.js';
import { Action } from '../parts/action.js';
import { textIn } from '../parts/form.js';

interface ReactionAction {
  readonly name: string;
  readonly changed: () => void;
}

export function PauseReaction({
  name,
  isPaused,
  changed,
}: ReactionAction & { readonly isPaused: boolean }): JSX.Element {
  return (
    <Action
      label={isPaused ? 'Resume' : 'Pause'}
      question={isPaused ? `Resume ${name}?` : `Pause ${name}?`}
      consequence={
        <p>
          {isPaused
            ? 'The reaction continues at its place, and processes all events that were appended while it was paused.'
            : 'No host processes further events with this reaction until it is resumed. Nothing is lost: it continues at its place.'}
        </p>
      }
      isDestructive={!isPaused}
      run={async (form) => {
        const body = { reason: textIn(form, 'reason') };
        await call(isPaused ? 'POST /reactions/:name/resume' : 'POST /reactions/:name/pause', {
          params: { name },
          body,
        });
        changed();
        return isPaused ? `Resumed ${name}.` : `Paused ${name}.`;
      }}
    />
  );
}

/** @param stream null: all failed streams */
export function RetryReaction({
  name,
  stream,
  isDisabled,
  changed,
}: ReactionAction & { readonly stream: string | null; readonly isDisabled: boolean }): JSX.Element {
  return (
    <Action
      label={stream === null ? 'Retry all' : 'Retry'}
      question={stream === null ? `Retry all failed streams of ${name}?` : `Retry a failed stream of ${name}?`}
      consequence={
        <p>The reaction processes the failed event again now. If it fails again, it is retried as before, or parked.</p>
      }
      isDisabled={isDisabled}
      run={async (form) => {
        const body = { reason: textIn(form, 'reason'), ...(stream !== null && { stream }) };
        const { retried } = await call('POST /reactions/:name/retry', { params: { name }, body });
        changed();
        return `Retrying ${retried} of the failed streams of ${name}.`;
      }}
    />
  );
}

export function SkipEvent({
  name,
  stream,
  event,
  changed,
}: ReactionAction & { readonly stream: string; readonly event: string }): JSX.Element {
  return (
    <Action
      label="Skip"
      question="Skip the failed event?"
      consequence={
        <p>
          {name} never processes the event <code>{event}</code>. The stream continues with its next event. What the
          reaction would have done, such as sending a mail, does not happen.
        </p>
      }
      isDestructive
      run={async (form) => {
        await call('POST /reactions/:name/skip', {
          params: { name },
          body: { stream, reason: textIn(form, 'reason') },
        });
        changed();
        return `${name} skipped an event.`;
      }}
    />
  );
}
