/** The stylesheet of the API page: light and dark by the reader's preference, one column on a phone. */
export const style = `:root {
  color-scheme: light dark;
  --text: #1c2330;
  --muted: #586174;
  --page: #ffffff;
  --panel: #f5f7fa;
  --line: #dce1e9;
  --accent: #0b57b8;
  --required: #a3300f;
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e4e8ef;
    --muted: #9aa5b8;
    --page: #12161d;
    --panel: #1b212b;
    --line: #313a48;
    --accent: #7db4ff;
    --required: #ff9d7a;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; padding: 1rem; max-width: 75rem; background: var(--page); color: var(--text); }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
h1, h2, h3, h4 { line-height: 1.25; overflow-wrap: anywhere; }
h1 { margin: 0.5rem 0; font-size: 1.9rem; }
h1 small { color: var(--muted); font-size: 1rem; font-weight: 400; }
h2 { margin: 2rem 0 0.75rem; font-size: 1.35rem; }
h3 { margin: 0 0 0.5rem; font-size: 1.15rem; }
h4 { margin: 1.25rem 0 0.4rem; font-size: 1rem; }
p { margin: 0.4rem 0; max-width: 70ch; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.9em; }
code { overflow-wrap: anywhere; }
pre { overflow-x: auto; margin: 0; padding: 0.9rem; border: 1px solid var(--line); border-radius: 6px; background: var(--page); }
pre code { overflow-wrap: normal; }
nav ul { margin: 0; padding: 0; list-style: none; columns: 14rem; }
nav li { padding: 0.15rem 0; overflow-wrap: anywhere; }
nav h2 { margin: 1rem 0 0.4rem; font-size: 0.85rem; color: var(--muted); text-transform: uppercase; letter-spacing: 0.05em; }
article { margin: 0 0 1.25rem; padding: 1.1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
article:target { border-color: var(--accent); }
.route { font-size: 1.05rem; }
.method { padding: 0.1rem 0.5rem; border-radius: 4px; background: var(--accent); color: var(--page); font-size: 0.8rem; font-weight: 700; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.5rem 0.75rem 0.5rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
thead th { border-top: 0; color: var(--muted); font-size: 0.85rem; }
tbody th { width: 38%; }
td p { color: var(--muted); }
.required, .optional { display: block; font-size: 0.8rem; }
.required { color: var(--required); }
.optional, .format, .constraints { color: var(--muted); }
.format { padding: 0 0.35rem; border: 1px solid var(--line); border-radius: 4px; font-size: 0.8rem; }
.constraints { display: block; font-size: 0.9rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: minmax(3.5rem, max-content) 1fr; gap: 0.5rem 1rem; margin: 0; }
dt, dd { margin: 0; min-width: 0; }
dd p { color: var(--muted); font-size: 0.92rem; }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 0 2.5rem; }
  header, .skip { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-bottom: 2rem; }
  nav ul { columns: auto; }
}
`;
