/** The credential of the user: stored for the tab, or in the browser if the user asks for it. */
import { signal } from '@preact/signals';
import { Problem } from './problem.js';

export interface Credential {
  readonly header: string;
  readonly value: string;
  /** Of a credential of the issuer: where the user signs out there too. */
  readonly issued?: { readonly signOutAt: string | null };
}

/** Services of one origin, each below its prefix, have different credentials. */
const key = `svc console ${location.pathname}`;

export const credential = signal<Credential | null>(stored());

/** Why the user must sign in; null: the user has not tried, or signed out. */
export const signInProblem = signal<Problem | null>(null);

export function signInWith(given: Credential, { remember }: { readonly remember: boolean }): void {
  forget();
  (remember ? localStorage : sessionStorage).setItem(key, JSON.stringify(given));
  credential.value = given;
}

/** Signs out of the issuer too: otherwise the next sign-in asks for no password, even if another person uses the browser. */
export function signOut(): void {
  const signOutAt = credential.value?.issued?.signOutAt ?? null;
  forget();
  if (signOutAt === null) credential.value = null;
  else location.assign(signOutAt);
}

/** The service no longer accepts the credential, or never has. */
export function rejectCredential(reason: string): void {
  const advice =
    credential.value?.issued === undefined
      ? ''
      : ' Sign in again. If the service rejects the next token too, its issuer and audience are not those that the service accepts.';
  signInProblem.value = new Problem(401, {
    title: 'The service did not accept the credential',
    detail: reason + advice,
  });
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
