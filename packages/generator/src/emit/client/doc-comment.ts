/** A description as a doc comment, with a line break at its end; nothing without a description. */
export function docComment(description: string | null, margin: string): string {
  const text = description?.replaceAll('*/', '*\\/').trim() ?? '';
  if (text === '') return '';
  const lines = text.split(/\r?\n/);
  if (lines.length === 1) return `${margin}/** ${text} */\n`;
  return `${margin}/**\n${lines.map((line) => `${margin} * ${line}`.trimEnd() + '\n').join('')}${margin} */\n`;
}
