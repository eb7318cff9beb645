/** A button whose action states what it will do and asks once, with a reason that is recorded. */
import { signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../api/problem.js';
import { session } from '../shell/session.js';
import { announce } from './announcements.js';
import { Field } from './field.js';
import { ProblemNote } from './states.js';

export interface ActionProps {
  /** On the button, and on the button that confirms: `Rebuild`. */
  readonly label: string;
  /** The question: `Rebuild OrderSummary?` */
  readonly question: string;
  /** What will happen. */
  readonly consequence: ComponentChildren;
  /** More fields of the form. Their values are in the `FormData` of `run`. */
  readonly fields?: ComponentChildren;
  /** Whether a reason is asked for. Default: it is, and required. */
  readonly reason?: 'required' | 'optional' | 'none';
  readonly isDestructive?: boolean;
  readonly isDisabled?: boolean;
  /** Resolves with what was done: it is announced. */
  readonly run: (form: FormData) => Promise<string>;
}

/** The action that asks its question. */
const asking = signal<{ readonly id: number; readonly props: ActionProps } | null>(null);
let count = 0;

/** Nothing is shown to users who may not act. */
export function Action(props: ActionProps): JSX.Element | null {
  const [id] = useState(() => ++count);
  // Fields can depend on what the user has chosen in another one.
  useLayoutEffect(() => {
    if (asking.peek()?.id === id) asking.value = { id, props };
  });
  if (session.value?.mayAct !== true) return null;
  return (
    <button
      type="button"
      class={props.isDestructive === true ? 'destructive' : undefined}
      disabled={props.isDisabled}
      aria-haspopup="dialog"
      onClick={() => (asking.value = { id, props })}
    >
      {props.label}
    </button>
  );
}

/**
 * The question that is asked. It is not part of the button, because a list that is refreshed may remove the row with the button. It ends with the
 * view.
 */
export function AskedQuestion(): JSX.Element | null {
  useEffect(() => () => void (asking.value = null), []);
  if (asking.value === null) return null;
  const { id, props } = asking.value;
  return <Question key={id} {...props} close={() => (asking.value = null)} />;
}

function Question({
  label,
  question,
  consequence,
  fields,
  reason = 'required',
  isDestructive,
  run,
  close,
}: QuestionProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => dialog.current!.showModal(), []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setProblem(null);
    try {
      const done = await run(form);
      dialog.current!.close();
      announce(done);
    } catch (error) {
      setProblem(
        error instanceof Problem ? error : new Problem(0, { title: 'The console failed', detail: String(error) }),
      );
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="question">
      <form onSubmit={(event) => void submit(event)}>
        <h2 id="question">
          <bdi>{question}</bdi>
        </h2>
        <div class="consequence">{consequence}</div>
        {fields}
        {reason !== 'none' && (
          <Field label={reason === 'optional' ? 'Reason (optional)' : 'Reason'} hint="It is recorded with your name.">
            {(ids) => (
              <input {...ids} name="reason" required={reason === 'required'} maxLength={500} autoComplete="off" />
            )}
          </Field>
        )}
        {problem !== null && <ProblemNote problem={problem} />}
        <div class="actions end">
          <button type="button" disabled={isBusy} onClick={() => dialog.current!.close()}>
            Do nothing
          </button>
          <button type="submit" class={isDestructive === true ? 'destructive primary' : 'primary'} disabled={isBusy}>
            {isBusy ? 'Working…' : label}
          </button>
        </div>
      </form>
    </dialog>
  );
}

interface QuestionProps extends ActionProps {
  readonly close: () => void;
}
