/** Asks for a credential that the service accepts, or sends the user to the issuer of one. */
import type { JSX } from 'preact';
import type { SignIn } from '../../src/contract/index.js';
import { signInProblem } from '../api/credential.js';
import { ProblemNote } from '../parts/states.js';
import { CredentialForm } from './credential-form.js';
import { IssuerForm } from './issuer-form.js';

export function SignInForm({ signIn }: { readonly signIn: SignIn }): JSX.Element {
  const { title, schemes, oidc } = signIn;
  return (
    <div class="panel">
      <h1>{title} console</h1>
      <p>You need the permission system:read.</p>
      {signInProblem.value !== null && <ProblemNote problem={signInProblem.value} />}
      {oidc === null ? (
        <CredentialForm schemes={schemes} />
      ) : (
        <>
          <IssuerForm oidc={oidc} />
          <details>
            <summary>Use a credential that you have</summary>
            <CredentialForm schemes={schemes} />
          </details>
        </>
      )}
    </div>
  );
}
