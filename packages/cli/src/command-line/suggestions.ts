/** Names that the user may have meant. */

const longestName = 50;
const maxSuggestions = 3;

/** ` Did you mean a or b?`, or an empty text if no known name is similar. */
export function didYouMean(given: string, known: readonly string[]): string {
  const names = similarNames(given, known);
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;
}

/** The known names that are most similar to the given one. */
export function similarNames(given: string, known: readonly string[]): readonly string[] {
  if (given === '' || given.length > longestName) return [];
  const text = given.toLowerCase();
  const measured = known.map((name) => ({ name, distance: distanceOf(text, name.toLowerCase()) }));
  const near = measured.filter(({ name, distance }) => distance <= allowed(Math.max(name.length, text.length)));
  const least = Math.min(...near.map(({ distance }) => distance));
  return near
    .filter(({ distance }) => distance === least)
    .map(({ name }) => name)
    .slice(0, maxSuggestions);
}

/** One mistake in three characters. */
function allowed(length: number): number {
  return Math.floor(length / 3);
}

/** How many characters are missing, superfluous, wrong or swapped with their neighbour. A prefix counts as one. */
function distanceOf(given: string, name: string): number {
  if (given.length > 1 && name.startsWith(given)) return 1;
  const rows: number[][] = [Array.from({ length: name.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= given.length; i++) {
    const row = [i];
    for (let j = 1; j <= name.length; j++) {
      const isSame = given[i - 1] === name[j - 1];
      const isSwapped = i > 1 && j > 1 && given[i - 1] === name[j - 2] && given[i - 2] === name[j - 1];
      row.push(
        Math.min(
          rows[i - 1]![j]! + 1,
          row[j - 1]! + 1,
          rows[i - 1]![j - 1]! + (isSame ? 0 : 1),
          isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
        ),
      );
    }
    rows.push(row);
  }
  return rows[given.length]![name.length]!;
}
