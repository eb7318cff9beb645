import { Generator, loadProject } from '@svc/generator';
import { afterAll, expect, it } from 'vitest';
import { exampleSources, generatedFiles, TemporaryProject } from './temporary-project.js';

const projects = ['a-', 'a-much-longer-name-of-a-folder-'].map((folder) => TemporaryProject.ofExample(folder));
afterAll(() => projects.forEach((project) => project.remove()));

function generate(project: TemporaryProject): Record<string, string> {
  const loaded = loadProject(project.directory);
  if ('code' in loaded) throw new Error(loaded.message);
  expect(new Generator(loaded).write().diagnostics).toEqual([]);
  return project.generated();
}

it('is the same, byte for byte, in every folder, every time, and in the repository', () => {
  const [first, second] = projects.map(generate);
  expect(Object.keys(first ?? {})).not.toEqual([]);
  expect(second).toEqual(first);
  expect(generate(projects[0]!)).toEqual(first);
  expect(generatedFiles(exampleSources)).toEqual(first);
});
