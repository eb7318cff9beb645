/** Collects log lines. */
export class CapturedLogs {
  readonly lines: Readonly<Record<string, unknown>>[] = [];
  readonly stream = {
    write: (line: string): void => void this.lines.push(JSON.parse(line) as Record<string, unknown>),
  };

  get text(): string {
    return this.lines.map((line) => JSON.stringify(line)).join('\n');
  }
}
