/** Asks for a credential that the service accepts. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SignIn } from '../../src/contract/index.js';
import { signedOutBecause } from '../api/client.js';
import { signInWith } from '../api/credential.js';
import { Field } from '../parts/field.js';
import { textIn } from '../parts/form.js';
import { visibleText } from '../parts/visible-text.js';

type Scheme = SignIn['schemes'][number];

export function SignInForm({ signIn }: { readonly signIn: SignIn }): JSX.Element {
  const { title, schemes } = signIn;
  const [index, setIndex] = useState(0);
  const scheme = schemes[index]!;
  const submit = (form: HTMLFormElement): void => {
    const data = new FormData(form);
    const value = textIn(data, 'credential')?.trim() ?? '';
    if (value === '') return;
    signedOutBecause.value = null;
    signInWith(headerOf(scheme, value), { remember: data.get('remember') === 'on' });
  };
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault();
        submit(event.currentTarget);
      }}
    >
      <h1>{title} console</h1>
      <p>Sign in with a credential of the service. You need the permission system:read.</p>
      {signedOutBecause.value !== null && (
        <div class="problem" role="alert">
          <p class="problem-title">The service did not accept the credential</p>
          <p>{visibleText(signedOutBecause.value)}</p>
        </div>
      )}
      {schemes.length > 1 && (
        <Field label="Kind">
          {(ids) => (
            <select {...ids} value={String(index)} onChange={(event) => setIndex(Number(event.currentTarget.value))}>
              {schemes.map((one, at) => (
                <option key={at} value={String(at)}>
                  {nameOf(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field label={nameOf(scheme)} hint={scheme.description === null ? null : visibleText(scheme.description)}>
        {(ids) => <input {...ids} name="credential" type="password" required autoComplete="off" spellcheck={false} />}
      </Field>
      <label class="check">
        <input name="remember" type="checkbox" />
        <span>Stay signed in on this device. Without it, closing the tab signs you out.</span>
      </label>
      <button type="submit" class="primary">
        Sign in
      </button>
    </form>
  );
}

function nameOf({ scheme, header }: Scheme): string {
  if (header !== null) return `API key (${header})`;
  return scheme.toLowerCase() === 'bearer' ? 'Token' : scheme;
}

function headerOf({ scheme, header }: Scheme, value: string): { readonly header: string; readonly value: string } {
  if (header !== null) return { header, value };
  const given = value.toLowerCase().startsWith(`${scheme.toLowerCase()} `) ? value.slice(scheme.length + 1) : value;
  return { header: 'authorization', value: `${scheme} ${given}` };
}
