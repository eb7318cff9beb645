/** Data as a TypeScript expression, with `list(…)` for arrays of objects. `margin` precedes its last line. */
export function dataText(value: unknown, margin: string): string {
  const lines: string[] = [];
  addLines(lines, '', value, '', margin);
  return lines.join('\n');
}

/** An object whose values are already expressions. */
export function entriesText(entries: readonly (readonly [key: string, text: string])[], margin: string): string {
  if (entries.length === 0) return '{}';
  const lines = entries.map(([key, text]) => `${margin}  ${JSON.stringify(key)}: ${text},\n`);
  return `{\n${lines.join('')}${margin}}`;
}

/** Line by line, so that no text is copied into the text around it. */
function addLines(lines: string[], before: string, value: unknown, after: string, margin: string): void {
  const inner = `${margin}  `;
  if (typeof value !== 'object' || value === null) {
    lines.push(`${before}${JSON.stringify(value)}${after}`);
  } else if (!Array.isArray(value)) {
    const keys = Object.keys(value);
    lines.push(keys.length === 0 ? `${before}{}${after}` : `${before}{`);
    for (const key of keys) {
      addLines(lines, `${inner}${JSON.stringify(key)}: `, (value as Record<string, unknown>)[key], ',', inner);
    }
    if (keys.length > 0) lines.push(`${margin}}${after}`);
  } else if (value.some((item) => typeof item === 'object')) {
    lines.push(`${before}list(`);
    for (const item of value) addLines(lines, inner, item, ',', inner);
    lines.push(`${margin})${after}`);
  } else {
    lines.push(`${before}[${value.map((item) => JSON.stringify(item)).join(', ')}]${after}`);
  }
}
