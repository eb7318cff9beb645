import { expect, it } from 'vitest';
import { builtPage } from './page-file.js';

it('a page that is not built names the command that builds it', async () => {
  const cause = new Error('Cannot find module');
  await expect(builtPage('the API page', () => Promise.reject(cause))).rejects.toMatchObject({
    message: 'Cannot load the API page: its files are not built. Run "npm run build" in the repository of svc.',
    cause,
  });
});
