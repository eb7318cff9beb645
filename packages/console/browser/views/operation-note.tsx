/** The state of an operation: work that an operator requested and a host runs. */
import type { JSX } from 'preact';
import type { RequestedOperation } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { Action } from '../parts/action.js';
import { textIn } from '../parts/form.js';
import { Progress } from '../parts/progress.js';
import { Status, type Tone } from '../parts/status.js';
import { Link } from '../parts/texts.js';

const tones: Readonly<Record<RequestedOperation['state'], Tone>> = {
  waiting: 'info',
  running: 'info',
  cancelling: 'warn',
  done: 'ok',
  failed: 'bad',
  cancelled: 'quiet',
  expired: 'bad',
};

export function OperationStatus({ operation }: { readonly operation: RequestedOperation }): JSX.Element {
  return <Status tone={tones[operation.state]}>{operation.state}</Status>;
}

export function OperationProgress({ operation }: { readonly operation: RequestedOperation }): JSX.Element {
  const { kind, progress } = operation;
  if (progress === null) return <span class="none">not started</span>;
  return (
    <>
      <Progress label={`Progress of ${kind}`} done={progress.done} total={progress.total} /> {progress.unit}
    </>
  );
}

/** An operation that runs, with its progress and a way to end it. */
export function OperationNote({
  operation,
  changed,
}: {
  readonly operation: RequestedOperation;
  readonly changed: () => void;
}): JSX.Element {
  return (
    <div class="panel operation">
      <div class="actions">
        <Link to={['operations', operation.id]}>{operation.kind}</Link>
        <OperationStatus operation={operation} />
        <OperationProgress operation={operation} />
        <CancelOperation operation={operation} changed={changed} />
      </div>
    </div>
  );
}

export function CancelOperation({
  operation,
  changed,
}: {
  readonly operation: RequestedOperation;
  readonly changed: () => void;
}): JSX.Element | null {
  const { id, kind, target, isOpen, state } = operation;
  if (!isOpen || state === 'cancelling') return null;
  return (
    <Action
      label="Cancel"
      question={`Cancel ${kind}${target === null ? '' : ` of ${target}`}?`}
      consequence={<p>The host that runs it stops at the next safe point. What it has done so far stays.</p>}
      isDestructive
      run={async (form) => {
        await call('POST /operations/:id/cancel', { params: { id }, body: { reason: textIn(form, 'reason') } });
        changed();
        return `Requested to cancel ${kind}.`;
      }}
    />
  );
}
