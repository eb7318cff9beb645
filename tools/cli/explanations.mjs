/** packages/cli/explanations.json: what `svc explain` prints, from the pages of diagnostics and errors. */

/** The explanation of each code: a title, and paragraphs as plain text. */
export function explanationsOf(diagnosticsPage, errorsPage) {
  return { ...diagnosticsOf(diagnosticsPage), ...errorsOf(errorsPage) };
}

function diagnosticsOf(page) {
  const sections = page.split(/^### /m).slice(1);
  return Object.fromEntries(
    sections.map((section) => {
      const [heading, ...lines] = section.split(/^## /m)[0].trimEnd().split('\n');
      const [code, title] = heading.split(': ', 2);
      return [code, { title, text: plainText(lines.join('\n').trim()) }];
    }),
  );
}

function errorsOf(page) {
  const rows = page.matchAll(/^\| `(SVC_\w+)` +\| ([^|]+?) +\| (.+?) +\|$/gm);
  return Object.fromEntries(
    [...rows].map(([, code, meaning, fix]) => [
      code,
      { title: withoutStop(meaning), text: plainText(`**Fix:** ${fix}`) },
    ]),
  );
}

/** Code is indented instead of fenced. Pages of this repository are not mentioned: users do not have them. */
function plainText(markdown) {
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? indented(part) : prose(part)))
    .join('');
}

function indented(block) {
  const lines = block.split('\n').slice(1, -1);
  return lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n');
}

function prose(text) {
  return text
    .replaceAll(/ ?\(\[[^\]]+\]\([^)]+\)\)/g, '')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('**Fix:**', 'Fix:')
    .replaceAll('\\|', '|');
}

function withoutStop(sentence) {
  return sentence.replace(/\.$/, '');
}
