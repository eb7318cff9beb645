import { inject } from 'vitest';

/** The registry of this run with all packages of the checkout. The first call packs and publishes them. */
export async function privateRegistry(): Promise<{ readonly url: string; readonly npmrc: string }> {
  const response = await fetch(inject('packageRegistry'));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text) as { url: string; npmrc: string };
}
