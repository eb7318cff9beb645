/** The credential of the user: stored for the tab, or in the browser if the user asks for it. */
import { signal } from '@preact/signals';

export interface Credential {
  readonly header: string;
  readonly value: string;
}

/** Services of one origin, each below its prefix, have different credentials. */
const key = `svc console ${location.pathname}`;

export const credential = signal<Credential | null>(stored());

export function signInWith(given: Credential, { remember }: { readonly remember: boolean }): void {
  forget();
  (remember ? localStorage : sessionStorage).setItem(key, JSON.stringify(given));
  credential.value = given;
}

export function signOut(): void {
  forget();
  credential.value = null;
}

function forget(): void {
  sessionStorage.removeItem(key);
  localStorage.removeItem(key);
}

function stored(): Credential | null {
  const text = sessionStorage.getItem(key) ?? localStorage.getItem(key);
  return text === null ? null : (JSON.parse(text) as Credential);
}
