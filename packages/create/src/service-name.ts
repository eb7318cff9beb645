/** Why a text cannot be the name of a service; null if it can. The name is that of a package, and the namespace of its messages. */
export function nameProblem(name: string): string | null {
  if (name.length > longest) return `A name has at most ${longest} characters, not ${name.length}.`;
  if (name === 'svc' || name.startsWith('svc.')) {
    return `"${name}" is reserved for the messages of svc. Choose another name, such as "my-service".`;
  }
  if (valid.test(name)) return null;
  return `"${name}" is not a valid name. Use lower-case letters and digits, joined by hyphens or dots, such as "my-service". The first character is a letter.`;
}

/** Shorter than the limit of npm: databases and users get the name too. */
const longest = 63;
const valid = /^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*$/;
