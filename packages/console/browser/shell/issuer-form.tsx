import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { OidcSignIn } from '../../src/contract/index.js';
import { signInProblem } from '../api/credential.js';
import type { Problem } from '../api/problem.js';
import { beginSignIn } from './oidc.js';
import { Remember, remembers } from './remember.js';

/** Sends the user to the issuer. */
export function IssuerForm({ oidc }: { readonly oidc: OidcSignIn }): JSX.Element {
  const [isLeaving, setLeaving] = useState(false);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    signInProblem.value = null;
    setLeaving(true);
    try {
      await beginSignIn(oidc, { remember: remembers(form) });
    } catch (problem) {
      setLeaving(false);
      signInProblem.value = problem as Problem;
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <Remember />
      <button type="submit" class="primary" disabled={isLeaving}>
        Sign in at {new URL(oidc.issuer).host}
      </button>
    </form>
  );
}
