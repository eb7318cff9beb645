import { defineConfig } from 'vitepress';
import { diagrams } from '../diagrams.mjs';
import { docs, partsOfSite } from '../parts.mjs';
import { slugOf } from '../slug.mjs';
import { unlinkSources } from '../unlink-sources.mjs';

const parts = partsOfSite();
const linkTo = (path) => `/${path.replace(/README$/, '')}`;
const folderOf = (path) => (path.includes('/') ? `/${path.split('/')[0]}/` : `/${path}`);

const sidebarOf = ({ groups }) =>
  groups.map(({ name, pages }) => ({
    text: name,
    items: pages.map(({ path, title }) => ({ text: title, link: linkTo(path) })),
  }));

/** Each folder of a part shows the sidebar of the part. */
const sidebar = Object.fromEntries(
  parts.flatMap((part) =>
    part.groups.flatMap(({ pages }) => pages.map(({ path }) => [folderOf(path), sidebarOf(part)])),
  ),
);

/** What is searched needs no colors in its code, which take a third of the time of a build. Pages share the renderer and need them. */
function withoutColors(source, env, markdown) {
  const { highlight } = markdown.options;
  markdown.options.highlight = null;
  try {
    return markdown.render(source, env);
  } finally {
    markdown.options.highlight = highlight;
  }
}

export default defineConfig({
  title: 'svc',
  description: 'Services that can explain themselves: commands, events, audit and models in TypeScript.',
  lang: 'en',
  srcDir: docs,
  outDir: './dist',
  cacheDir: './.cache',
  cleanUrls: true,
  // A relative base does not exist in VitePress; `SITE_BASE` is for a site under a path.
  base: process.env.SITE_BASE ?? '/',
  rewrites: { 'decisions/README.md': 'decisions/index.md' },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: slugOf },
    config: (markdown) => markdown.use(unlinkSources).use(diagrams),
  },
  themeConfig: {
    nav: parts.map(({ name, groups }) => ({
      text: name,
      link: linkTo(groups[0].pages[0].path),
      activeMatch: [...new Set(groups.flatMap(({ pages }) => pages.map(({ path }) => folderOf(path))))].join('|'),
    })),
    sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      // Codes such as SVC_UNKNOWN_PERSPECTIVE and names such as @svc/core are one word.
      options: {
        miniSearch: { options: { tokenize: (text) => text.split(/[^\p{L}\p{N}_@/$-]+/u) } },
        _render: withoutColors,
      },
    },
    externalLinkIcon: true,
  },
});
