import type { Language } from '../domain/enums.ts';
import { escapeHtml, type Heading } from './markdown.ts';
import { texts } from './texts.ts';

export interface NavItem {
  href: string;
  text: string;
  /** The language of the page behind it, English if it has no translations. */
  language?: Language;
}

export interface NavGroup {
  title: string;
  items: NavItem[];
}

export interface Page {
  title: string;
  path: string;
  /** What follows the path behind a question mark. */
  query?: string;
  /** The language of its text, English if it has no translations. */
  language?: Language;
  body: string;
  contents?: Heading[];
}

/** The addresses of the files that every page loads, with a hash of their contents in the name. */
export interface Assets {
  style: string;
  script: string;
  scheme: string;
  mark: string;
}

const sections = [
  { href: '/docs/', name: 'guides' },
  { href: '/docs/reference', name: 'reference' },
  { href: '/docs/errors', name: 'errors' },
  { href: '/docs/search', name: 'search' },
] as const;

/** Whether the page belongs to the section. All other pages are guides. */
const isIn = (path: string, href: string) =>
  (sections.findLast((section) => path.startsWith(section.href)) ?? sections[0]).href === href;

const link = ({ href, text }: NavItem, isCurrent: boolean) =>
  `<li><a href="${escapeHtml(href)}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a></li>`;

/** Says to readers of German which pages are in English. */
export function renderNote(of: Language = 'en', reader: Language): string {
  return of === reader ? '' : ` <span class="dimmed" lang="${reader}">(${texts.isEnglish[reader]})</span>`;
}

function renderGroup({ title, items }: NavGroup, path: string, reader: Language): string {
  const links = items.map(({ href, text, language = 'en' }) => {
    const speech = language === reader ? '' : ` lang="${language}"`;
    const current = href === path ? ' aria-current="page"' : '';
    return `<li><a href="${escapeHtml(href)}"${current}${speech}>${escapeHtml(text)}${renderNote(language, reader)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2><ul>${links.join('')}</ul>`;
}

function renderContents(contents: readonly Heading[], reader: Language): string {
  if (contents.length < 2) return '';
  const items = contents.map(({ id, text }) => link({ href: `#${id}`, text }, false)).join('');
  const title = texts.onThisPage[reader];
  return `<nav class="contents" aria-label="${title}"><h2>${title}</h2><ul>${items}</ul></nav>`;
}

/** Returns the address of the same page in the other language, which is then kept. */
function renderSwitch({ path, query }: Page, reader: Language): string {
  const other = reader === 'de' ? 'en' : 'de';
  const href = `${path}?${query === undefined ? '' : `${query}&`}lang=${other}`;
  return `<a class="language" href="${escapeHtml(href)}" lang="${other}" hreflang="${other}">${texts.otherLanguage[reader]}</a>`;
}

/** Renders a page for a reader of a language. Its text may be in English only. */
export function renderPage(page: Page, nav: readonly NavGroup[], assets: Assets, reader: Language): string {
  const { title, path, body, contents = [], language = 'en' } = page;
  const side = nav.map((group) => renderGroup(group, path, reader)).join('');
  const note = language === reader ? '' : `<p class="dimmed" lang="${reader}">${texts.onlyEnglish[reader]}</p>`;
  const t = (name: keyof typeof texts) => texts[name][reader];
  return `<!doctype html>
<html lang="${reader}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – Transit Benefits</title>
<link rel="icon" type="image/svg+xml" href="${assets.mark}">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.scheme}"></script>
<script src="${assets.script}" defer></script>
</head>
<body>
<a class="skip" href="#main">${t('skip')}</a>
<header>
<a class="brand" href="/docs/"><img src="${assets.mark}" alt="" width="28" height="28">Transit Benefits <span>${t('brand')}</span></a>
<nav aria-label="${t('documentation')}"><ul>${sections.map(({ href, name }) => link({ href, text: t(name) }, isIn(path, href))).join('')}</ul></nav>
${renderSwitch(page, reader)}
<a class="back" href="/">${t('back')}</a>
</header>
<div class="columns">
<nav class="side" aria-label="${t('pages')}"><details open><summary>${t('allPages')}</summary>${side}</details></nav>
<main id="main" tabindex="-1">
<div class="text"${language === reader ? '' : ` lang="${language}"`}>
${note}${body}
</div>
${renderContents(contents, reader)}
</main>
</div>
</body>
</html>
`;
}
