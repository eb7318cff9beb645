import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SignIn } from '../../src/contract/index.js';
import { signInProblem, signInWith } from '../api/credential.js';
import { Field } from '../parts/field.js';
import { textIn } from '../parts/form.js';
import { visibleText } from '../parts/visible-text.js';
import { Remember, remembers } from './remember.js';

type Scheme = SignIn['schemes'][number];

/** Asks for a credential that the user has: a token or an API key. */
export function CredentialForm({ schemes }: { readonly schemes: readonly Scheme[] }): JSX.Element {
  const [index, setIndex] = useState(0);
  const scheme = schemes[index]!;
  const submit = (form: HTMLFormElement): void => {
    const value = textIn(new FormData(form), 'credential')?.trim() ?? '';
    if (value === '') return;
    signInProblem.value = null;
    signInWith(headerOf(scheme, value), { remember: remembers(form) });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit(event.currentTarget);
      }}
    >
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
      <Remember />
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
