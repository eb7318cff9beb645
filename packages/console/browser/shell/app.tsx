/** Signs the user in, and then shows the console. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Session, SignIn } from '../../src/contract/index.js';
import { call, database } from '../api/client.js';
import { credential, signInProblem, signOut } from '../api/credential.js';
import type { Problem } from '../api/problem.js';
import { useResource } from '../api/resource.js';
import { Announcements } from '../parts/announcements.js';
import { Shown } from '../parts/states.js';
import { Frame } from './frame.js';
import { finishSignIn, isAnswered } from './oidc.js';
import { session } from './session.js';
import { SignInForm } from './sign-in-form.js';

interface Start {
  readonly signIn: SignIn;
  /** Null: the user must sign in. */
  readonly session: Session | null;
}

async function start(signal: AbortSignal): Promise<Start> {
  const signIn = await call('GET /sign-in', { signal });
  if (signIn.oidc !== null && isAnswered()) {
    await finishSignIn(signIn.oidc).catch((problem: Problem) => {
      signInProblem.value = problem;
    });
  }
  const mustSignIn = signIn.schemes.length > 0 && credential.value === null;
  return { signIn, session: mustSignIn ? null : await call('GET /session', { signal }) };
}

export function App(): JSX.Element {
  const started = useResource(`${credential.value?.header} ${credential.value?.value}`, start);
  const found = started.value?.session ?? null;
  useEffect(() => {
    session.value = found;
    if (found !== null) signInProblem.value = null;
    if (found === null) database.value = null;
  }, [found]);
  if (found !== null && session.value !== null) return <Frame session={session.value} />;
  return (
    <main class="sign-in" id="main">
      <Shown of={started}>{({ signIn }) => (found === null ? <SignInForm signIn={signIn} /> : null)}</Shown>
      {started.problem?.status === 403 && <p>To see the console, you need the permission system:read.</p>}
      {started.problem !== null && credential.value !== null && (
        <button type="button" onClick={signOut}>
          Sign in as another user
        </button>
      )}
      <Announcements />
    </main>
  );
}
