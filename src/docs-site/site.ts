import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language } from '../domain/enums.ts';
import { renderErrorsPage } from './errors-page.ts';
import { addressOf, type GuideGroup, readGuides } from './guides.ts';
import { type NavGroup, type Page, renderNote, renderPage } from './layout.ts';
import { escapeHtml } from './markdown.ts';
import type { Document } from './reference/document.ts';
import { referenceNav, renderReference } from './reference/pages.ts';
import { createIndex, renderSearchForm, renderSearchPage } from './search.ts';
import { texts } from './texts.ts';

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

const renderHome = (groups: readonly GuideGroup[], language: Language): Page => ({
  title: texts.guides[language],
  path: '/docs/',
  language,
  body: `<h1>${texts.documentation[language]}</h1>
<p>${texts.introduction[language]}</p>
${renderSearchForm(language)}
${groups
  .map(
    ({ title, guides }) =>
      `<h2>${escapeHtml(title)}</h2><ul class="cards">${guides
        .map(
          (guide) =>
            `<li><a href="${addressOf(guide.name)}"${guide.language === language ? '' : ` lang="${guide.language}"`}>` +
            `${escapeHtml(guide.title)}${renderNote(guide.language, language)}</a></li>`,
        )
        .join('')}</ul>`,
  )
  .join('\n')}`,
});

const navOf = (groups: readonly GuideGroup[], reference: readonly Page[], reader: Language): NavGroup[] => [
  ...groups.map(({ title, guides }) => ({
    title,
    items: guides.map(({ name, title: text, language }) => ({ href: addressOf(name), text, language })),
  })),
  { title: texts.reference[reader], items: referenceNav(reference) },
];

/** The documentation for readers of one language. */
export interface Site {
  files: Map<string, StaticFile>;
  /** Renders the page with the sections that contain all words of a query. */
  search(query: string): string;
}

export function renderSite(document: Document, language: Language): Site {
  const { files, addresses } = createAssets();
  const groups = readGuides(language);
  const reference = renderReference(document);
  const nav = navOf(groups, reference, language);
  const guides = groups.flatMap((group) => group.guides);
  const index = createIndex(guides);
  const render = (page: Page, pageNav = nav) => renderPage(page, pageNav, addresses, language);
  const add = (page: Page, pageNav?: NavGroup[]) => {
    const bytes = Buffer.from(render(page, pageNav));
    files.set(page.path, { type: 'text/html; charset=utf-8', bytes, isImmutable: false });
  };
  add(renderHome(groups, language));
  add(renderErrorsPage());
  for (const { name, title, headings, html, language: spoken } of guides) {
    add({ title, path: addressOf(name), body: html, contents: headings, language: spoken });
  }
  for (const page of reference) add(page, [...nav.slice(-1), ...nav.slice(0, -1)]);
  return { files, search: (query) => render(renderSearchPage(index, query, language)) };
}
