/** The console around the views: title, search, navigation. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from '../../src/contract/index.js';
import { database } from '../api/client.js';
import { signOut } from '../api/credential.js';
import { AskedQuestion } from '../parts/action.js';
import { Announcements } from '../parts/announcements.js';
import { Link, Text } from '../parts/texts.js';
import { areasFor, viewAt } from './areas.js';
import { go, href, place } from './router.js';
import { chooseTheme, theme, type Theme } from './theme.js';

export function Frame({ session }: { readonly session: Session }): JSX.Element {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { path } = place.value;
  const view = `${path.join('/')} ${database.value}`;
  const home = session.isOperator ? 'overview' : 'audit';
  useEffect(() => {
    if (path.length === 0) location.replace(href([home]));
    setMenuOpen(false);
  }, [path.join('/')]);
  const skip = (event: MouseEvent): void => {
    // The hash is the address of the view, so the link cannot be an anchor.
    event.preventDefault();
    document.querySelector<HTMLElement>('#main')!.focus();
  };
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <header class="bar">
        <button
          type="button"
          class="menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="navigation"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          Menu
        </button>
        <Link to={[home]} class="brand">
          <Text value={session.title} /> <span class="brand-kind">console</span>
        </Link>
        <Search />
        <div class="bar-end">
          {session.databases.length > 1 && <DatabaseChoice names={session.databases} />}
          <ThemeChoice />
          <User session={session} />
        </div>
      </header>
      <nav id="navigation" class={isMenuOpen ? 'open' : undefined} aria-label="Console">
        {areasFor(session).map(({ name, links }) => (
          <section key={name}>
            <h2>{name}</h2>
            <ul>
              {links.map(({ to, label }) => (
                <li key={to}>
                  <a href={href([to])} aria-current={path[0] === to ? 'page' : undefined}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <p class="versions">svc {session.svcVersion}</p>
      </nav>
      <main id="main" tabIndex={-1} key={`view ${view}`}>
        {path.length > 0 && viewAt(path)}
      </main>
      <AskedQuestion key={`question ${view}`} />
      <Announcements />
    </div>
  );
}

/** Finds what an id belongs to. The key "/" moves the focus here. */
function Search(): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current!.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const id = input.current!.value.trim();
    if (id !== '') go(href(['search'], { id }));
  };
  return (
    <form class="search" role="search" aria-label="Everything" onSubmit={submit}>
      <input
        ref={input}
        name="id"
        type="search"
        aria-label="Search by id"
        placeholder="Search by id ( / )"
        autoComplete="off"
        spellcheck={false}
      />
    </form>
  );
}

function DatabaseChoice({ names }: { readonly names: readonly string[] }): JSX.Element {
  return (
    <select
      aria-label="Database"
      value={database.value ?? names[0]!}
      onChange={(event) => {
        database.value = event.currentTarget.value;
      }}
    >
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function ThemeChoice(): JSX.Element {
  return (
    <select
      aria-label="Theme"
      value={theme.value}
      onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
    >
      <option value="system">System theme</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}

function User({ session }: { readonly session: Session }): JSX.Element {
  if (session.isOpen) return <span class="user">No authentication</span>;
  return (
    <>
      <span class="user">
        <Text value={session.user.name ?? session.user.id} none="Signed in" />
        {session.tenant !== null && (
          <span class="tenant">
            {' '}
            of <Text value={session.tenant} />
          </span>
        )}
      </span>
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </>
  );
}
