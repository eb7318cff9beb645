/** A setting with each word `$NAME` in it replaced by the variable of that name: what is secret stands there, and not in a file. */
export function filledIn(setting: string): string {
  return setting.replace(/(?<!\S)\$(\w+)(?!\S)/g, (_, name: string) => {
    const value = process.env[name];
    if (value === undefined || value === '') throw new Error(`the environment has no ${name}`);
    return value;
  });
}
