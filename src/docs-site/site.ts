import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderErrorsPage } from './errors-page.ts';
import { addressOf, type GuideGroup, readGuides } from './guides.ts';
import { type NavGroup, type Page, renderPage } from './layout.ts';
import { escapeHtml } from './markdown.ts';
import type { Document } from './reference/document.ts';
import { referenceNav, renderReference } from './reference/pages.ts';
import { renderSearch } from './search-field.ts';

/** A response that never changes while the process runs. */
export interface StaticFile {
  type: string;
  bytes: Buffer;
  /** The name contains a hash of the contents, so that a browser never has to ask for it again. */
  isImmutable: boolean;
}

export const assetPrefix = '/docs/assets/';

const markSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="15" fill="#0f6b74"/>' +
  '<rect x="18" y="11" width="28" height="33" rx="9" fill="#fff"/><rect x="22.5" y="17" width="19" height="11" rx="3.5" fill="#0f6b74"/>' +
  '<circle cx="25" cy="36.5" r="3" fill="#0f6b74"/><circle cx="39" cy="36.5" r="3" fill="#0f6b74"/>' +
  '<path d="M24 47l-5 7M40 47l5 7M22.5 51h19" stroke="#8fd3d0" stroke-width="3.5" stroke-linecap="round" fill="none"/></svg>';
export const mark = Buffer.from(markSvg);

function createAssets() {
  const files = new Map<string, StaticFile>();
  const add = (name: string, type: string, bytes: Buffer): string => {
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 10);
    const path = `${assetPrefix}${name.replace('.', `-${hash}.`)}`;
    files.set(path, { type, bytes, isImmutable: true });
    return path;
  };
  const read = (name: string) => readFileSync(join(import.meta.dirname, 'assets', name));
  const script = 'text/javascript; charset=utf-8';
  const fontFile = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));
  const font = add('inter.woff2', 'font/woff2', readFileSync(fontFile));
  const style = Buffer.from(read('docs.css').toString().replace('%FONT%', font));
  return {
    files,
    addresses: {
      style: add('docs.css', 'text/css; charset=utf-8', style),
      script: add('docs.js', script, read('docs.js')),
      scheme: add('scheme.js', script, read('scheme.js')),
      mark: add('mark.svg', 'image/svg+xml', mark),
    },
  };
}

const renderHome = (groups: readonly GuideGroup[]): Page => ({
  title: 'Guides',
  path: '/docs/',
  body: `<h1>Documentation</h1>
<p>Guides for everybody who connects an HR or payroll system, manages employees, or runs the service. The
<a href="/docs/reference">API reference</a> describes every operation, <a href="/docs/errors">Errors</a> every error code.</p>
${renderSearch('Search guides', '.cards > li')}
${groups
  .map(
    ({ title, guides }) =>
      `<section data-group><h2>${escapeHtml(title)}</h2><ul class="cards">${guides
        .map((guide) => `<li><a href="${addressOf(guide.name)}">${escapeHtml(guide.title)}</a></li>`)
        .join('')}</ul></section>`,
  )
  .join('\n')}`,
});

const navOf = (groups: readonly GuideGroup[], reference: readonly Page[]): NavGroup[] => [
  ...groups.map(({ title, guides }) => ({
    title,
    items: guides.map((guide) => ({ href: addressOf(guide.name), text: guide.title })),
  })),
  { title: 'API reference', items: referenceNav(reference) },
];

export function renderSite(document: Document): Map<string, StaticFile> {
  const { files, addresses } = createAssets();
  const groups = readGuides();
  const reference = renderReference(document);
  const nav = navOf(groups, reference);
  const guides = groups.flatMap((group) => group.guides);
  const add = (page: Page, pageNav: readonly NavGroup[]) => {
    const bytes = Buffer.from(renderPage(page, pageNav, addresses));
    files.set(page.path, { type: 'text/html; charset=utf-8', bytes, isImmutable: false });
  };
  add(renderHome(groups), nav);
  add(renderErrorsPage(), nav);
  for (const { name, title, headings, html } of guides) {
    add({ title, path: addressOf(name), body: html, contents: headings }, nav);
  }
  for (const page of reference) add(page, [...nav.slice(-1), ...nav.slice(0, -1)]);
  return files;
}
