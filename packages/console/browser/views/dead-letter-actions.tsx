/** Replay, edit and discard of dead letters. */
import type { JSX } from 'preact';
import type { ChangedDeadLetters, DeadLetterDetails } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { Problem } from '../api/problem.js';
import { Action } from '../parts/action.js';
import { textIn } from '../parts/form.js';
import { Field } from '../parts/field.js';
import { formatted } from '../parts/formats.js';

/** Dead letters by their ids, or all that have a cause. */
export type Selection =
  | { readonly ids: readonly string[] }
  | { readonly cause: string; readonly direction: string | null };

interface SelectionProps {
  readonly selection: Selection;
  readonly isDisabled: boolean;
  readonly changed: () => void;
}

function nameOf(selection: Selection): string {
  if ('ids' in selection) return formatted.count(selection.ids.length, 'dead letter');
  return `all ${selection.direction ?? ''} dead letters with the cause ${selection.cause}`.replace('  ', ' ');
}

function bodyOf(selection: Selection, reason: string | undefined): object {
  if ('ids' in selection) return { ids: selection.ids, ...(reason !== undefined && { reason }) };
  const { cause, direction } = selection;
  return { cause, ...(direction !== null && { direction }), ...(reason !== undefined && { reason }) };
}

/** Rejects if some of the dead letters were not changed, so that the dialog stays and shows why. */
function outcomeOf({ changed, failed, operation }: ChangedDeadLetters, verb: string): string {
  if (operation !== null) return `Requested. See its progress under Operations.`;
  if (failed.length === 0) return `${verb} ${formatted.count(changed, 'dead letter')}.`;
  throw new Problem(422, {
    title: `${formatted.count(failed.length, 'dead letter')} could not be changed`,
    detail: `${verb} ${formatted.number(changed)}.`,
    errors: failed.map(({ id, error }) => ({ pointer: id, detail: error })),
  });
}

export function Replay({ selection, isDisabled, changed }: SelectionProps): JSX.Element {
  return (
    <Action
      label={'ids' in selection ? 'Replay' : `Replay all ${selection.cause}`}
      question={`Replay ${nameOf(selection)}?`}
      consequence={
        <p>
          Each message is delivered or processed again, with its own id, so that receivers recognise it. If it fails
          again, it comes back here.
        </p>
      }
      reason="optional"
      isDisabled={isDisabled}
      run={async (form) => {
        const answer = await call('POST /dead-letters/replay', { body: bodyOf(selection, textIn(form, 'reason')) });
        changed();
        return outcomeOf(answer, 'Replayed');
      }}
    />
  );
}

export function Discard({ selection, isDisabled, changed }: SelectionProps): JSX.Element {
  return (
    <Action
      label={'ids' in selection ? 'Discard' : `Discard all ${selection.cause}`}
      question={`Discard ${nameOf(selection)}?`}
      consequence={
        <p>The messages are never delivered or processed. This cannot be undone; the record of it remains.</p>
      }
      isDestructive
      isDisabled={isDisabled}
      run={async (form) => {
        const answer = await call('POST /dead-letters/discard', { body: bodyOf(selection, textIn(form, 'reason')) });
        changed();
        return outcomeOf(answer, 'Discarded');
      }}
    />
  );
}

export function EditAndReplay({
  details,
  changed,
}: {
  readonly details: DeadLetterDetails;
  readonly changed: (messageId: string) => void;
}): JSX.Element {
  const { deadLetter, message } = details;
  const { id } = deadLetter;
  return (
    <Action
      label="Edit and replay"
      question="Edit and replay the message?"
      consequence={
        <p>
          A new message with the edited body is sent, with an id of its own that references the old one. The old message
          is never sent.
        </p>
      }
      isDisabled={!deadLetter.isEditable || message.isTruncated}
      fields={
        <Field label="Body">
          {(ids) => <textarea {...ids} name="body" required spellcheck={false} defaultValue={readable(message.body)} />}
        </Field>
      }
      run={async (form) => {
        const body = { body: jsonIn(form), reason: textIn(form, 'reason') };
        const { messageId } = await call('POST /dead-letters/:id/edit', { params: { id }, body });
        changed(messageId);
        return `Sent the edited message ${messageId}.`;
      }}
    />
  );
}

/** Checked here, so that a missing comma does not need a request. */
function jsonIn(form: FormData): string {
  const text = textIn(form, 'body') ?? '';
  try {
    JSON.parse(text);
  } catch (error) {
    throw new Problem(400, { title: 'The body is not JSON', detail: (error as Error).message });
  }
  return text;
}

/** With a line per property, if that does not change numbers: browsers round those with many digits. */
function readable(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
