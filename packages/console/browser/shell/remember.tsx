import type { JSX } from 'preact';

/** Lets the user choose how long the credential is stored. */
export function Remember(): JSX.Element {
  return (
    <label class="check">
      <input name="remember" type="checkbox" />
      <span>Stay signed in on this device. Without it, closing the tab signs you out.</span>
    </label>
  );
}

export function remembers(form: HTMLFormElement): boolean {
  return new FormData(form).get('remember') === 'on';
}
