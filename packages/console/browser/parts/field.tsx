import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

export interface FieldIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
}

/** A labelled control, with a hint that screen readers read after its name. */
export function Field({ label, hint = null, children }: FieldProps): JSX.Element {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(hint !== null && { 'aria-describedby': hintId }) })}
      {hint !== null && <small id={hintId}>{hint}</small>}
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | null;
  readonly children: (ids: FieldIds) => JSX.Element;
}
