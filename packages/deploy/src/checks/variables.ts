/** Replaces each word `$NAME` with the environment variable of that name, so that no secret needs to be in a file. */
export function filledIn(setting: string): string {
  return setting.replace(/(?<!\S)\$(\w+)(?!\S)/g, (_, name: string) => {
    const value = process.env[name];
    if (value === undefined || value === '') throw new Error(`the environment variable ${name} is not set`);
    return value;
  });
}
