/** What a view shows when it has no data: it loads, it failed, or there is none. */
import type { ComponentChildren, JSX } from 'preact';
import type { Problem } from '../api/problem.js';
import type { Resource } from '../api/resource.js';
import { visibleText } from './visible-text.js';

export function Loading(): JSX.Element {
  return (
    <p class="loading" role="status">
      Loading…
    </p>
  );
}

/** Why there is nothing, and what would be here. */
export function Empty({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}

const advice: Readonly<Record<number, string>> = {
  403: 'Your roles do not permit this. The denial was recorded.',
  404: 'It does not exist, or belongs to a tenant that you do not see.',
};

export function ProblemNote({
  problem,
  retry,
}: {
  readonly problem: Problem;
  readonly retry?: (() => void) | undefined;
}): JSX.Element {
  return (
    <div class="problem" role="alert">
      <p class="problem-title">{visibleText(problem.title)}</p>
      {problem.message !== '' && <p>{visibleText(problem.message)}</p>}
      {problem.issues.length > 0 && (
        <ul>
          {problem.issues.map(({ pointer = '', detail = '' }) => (
            <li key={pointer + detail}>
              <code>{visibleText(pointer)}</code> {visibleText(detail)}
            </li>
          ))}
        </ul>
      )}
      {advice[problem.status] !== undefined && <p>{advice[problem.status]}</p>}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Shows a resource: its value, with the failure of the last request above it, or its state. */
export function Shown<T>({
  of,
  children,
}: {
  readonly of: Resource<T>;
  readonly children: (value: T) => ComponentChildren;
}): JSX.Element {
  return (
    <>
      {of.problem !== null && <ProblemNote problem={of.problem} retry={() => of.reload()} />}
      {of.value !== null && children(of.value)}
      {of.value === null && of.problem === null && <Loading />}
    </>
  );
}
