import { escapeHtml, type Heading } from './markdown.ts';

export interface NavItem {
  href: string;
  text: string;
}

export interface NavGroup {
  title: string;
  items: NavItem[];
}

export interface Page {
  title: string;
  path: string;
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

const sections: readonly (NavItem & { prefix: string })[] = [
  { href: '/docs/', text: 'Guides', prefix: '/docs/guides' },
  { href: '/docs/reference', text: 'API reference', prefix: '/docs/reference' },
  { href: '/docs/errors', text: 'Errors', prefix: '/docs/errors' },
];

const isSection = (path: string, { href, prefix }: (typeof sections)[number]) =>
  path === href || path.startsWith(prefix);

const link = ({ href, text }: NavItem, isCurrent: boolean) =>
  `<li><a href="${escapeHtml(href)}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a></li>`;

const renderGroup = ({ title, items }: NavGroup, path: string) =>
  `<h2>${escapeHtml(title)}</h2><ul>${items.map((item) => link(item, item.href === path)).join('')}</ul>`;

function renderContents(contents: readonly Heading[]): string {
  if (contents.length < 2) return '';
  const items = contents.map(({ id, text }) => link({ href: `#${id}`, text }, false)).join('');
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items}</ul></nav>`;
}

export function renderPage(
  { title, path, body, contents = [] }: Page,
  nav: readonly NavGroup[],
  assets: Assets,
): string {
  const side = nav.map((group) => renderGroup(group, path)).join('');
  return `<!doctype html>
<html lang="en">
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
<a class="skip" href="#main">Skip to content</a>
<header>
<a class="brand" href="/docs/"><img src="${assets.mark}" alt="" width="28" height="28">Transit Benefits <span>Docs</span></a>
<nav aria-label="Documentation"><ul>${sections.map((item) => link(item, isSection(path, item))).join('')}</ul></nav>
<a class="back" href="/">Back to the portal</a>
</header>
<div class="columns">
<nav class="side" aria-label="Pages"><details open><summary>All pages</summary>${side}</details></nav>
<main id="main" tabindex="-1">
<div class="text">
${body}
</div>
${renderContents(contents)}
</main>
</div>
</body>
</html>
`;
}
