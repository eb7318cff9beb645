/** Shorter texts occur in other words. */
const shortestText = 3;

/** All texts in parsed JSON, such as the stored body of a message. Not recursive: it can be nested deeper than the call stack allows. */
export function textsIn(root: unknown): readonly string[] {
  const texts: string[] = [];
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && value.length >= shortestText) texts.push(value);
    else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) open.push(item);
  }
  return texts;
}
