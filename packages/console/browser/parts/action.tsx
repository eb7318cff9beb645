/** A button whose action states what it will do and asks once, with a reason that is recorded. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
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

/** Nothing is shown to users who may not act. */
export function Action(props: ActionProps): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  if (session.value?.mayAct !== true) return null;
  return (
    <>
      <button
        type="button"
        class={props.isDestructive === true ? 'destructive' : undefined}
        disabled={props.isDisabled}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {props.label}
      </button>
      {isOpen && <Question {...props} close={() => setOpen(false)} />}
    </>
  );
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
