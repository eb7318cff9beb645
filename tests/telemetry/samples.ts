/** The samples of one metric in Prometheus' text format, by the values of their labels in the order they stand there. */
export function samplesIn(text: string, name: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => new RegExp(`^${name}[{ ]`).test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const labels = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, value]) => value!);
      return [labels.join(' '), Number(line.slice(line.lastIndexOf(' ') + 1))];
    }),
  );
}
