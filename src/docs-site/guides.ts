import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Rendered, renderMarkdown } from './markdown.ts';

const folder = join(import.meta.dirname, '../../docs');

/** The order of the guides by subject. A page that is not listed comes last in its group, or in "More". */
const groups: readonly { title: string; pages: readonly string[] }[] = [
  { title: 'Start', pages: ['quick-start-*', 'client-library', 'command-line', 'assistants', 'limits', 'glossary'] },
  {
    title: 'Employees',
    pages: ['sync-your-roster', 'subscription-life-cycle', 'contracts', 'portal-roles', 'single-sign-on'],
  },
  { title: 'HR systems', pages: ['connect-personio', 'connect-hibob', 'connect-bamboohr', 'connect-sftp'] },
  { title: 'Events', pages: ['events', 'webhooks'] },
  { title: 'Money', pages: ['payroll', 'invoices'] },
  { title: 'Operate', pages: ['operate', 'operate/*'] },
];
const rest = 'More';

export interface Guide extends Rendered {
  /** The path below /docs/guides, such as `operate/install`. */
  name: string;
  group: string;
}

export interface GuideGroup {
  title: string;
  guides: Guide[];
}

export const addressOf = (name: string) => `/docs/guides/${name}`;

const nameOf = (file: string) => file.replace(/\.md$/, '').replace(/\/README$/, '');

function findPlace(name: string): { group: number; place: number } {
  for (const [group, { pages }] of groups.entries()) {
    const place = pages.findIndex(
      (page) => page === name || (page.endsWith('*') && name.startsWith(page.slice(0, -1))),
    );
    if (place >= 0) return { group, place };
  }
  return { group: groups.length, place: 0 };
}

/** Returns the address of the page or file that a link in `file` leads to. Files outside docs/ are not published. */
function resolveLink(file: string, href: string, files: readonly string[]): string | undefined {
  if (/^(https?:|\/|#)/.test(href)) return href;
  const [path = '', hash] = href.split('#');
  const target = posix.join(posix.dirname(file), path);
  const anchor = hash === undefined ? '' : `#${hash}`;
  if (files.includes(target)) return addressOf(nameOf(target)) + anchor;
  return /^examples\/[\w-]+\.(csv|json)$/.test(target) ? `/docs/${target}` : undefined;
}

export function readGuides(): GuideGroup[] {
  const files = globSync(['*.md', 'operate/*.md'], { cwd: folder }).sort();
  const guides = files.map((file) => {
    const name = nameOf(file);
    const { group, place } = findPlace(name);
    const rendered = renderMarkdown(readFileSync(join(folder, file), 'utf8'), (href) => resolveLink(file, href, files));
    return { ...rendered, name, place, level: group, group: groups[group]?.title ?? rest };
  });
  const sorted = guides.toSorted((a, b) => a.level - b.level || a.place - b.place || a.name.localeCompare(b.name));
  return [...Map.groupBy(sorted, ({ group }) => group)].map(([title, members]) => ({ title, guides: members }));
}

const exampleTypes = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

export function findExample(name: string): { type: string; text: string } | undefined {
  const extension = /^[\w-]+\.(csv|json)$/.exec(name)?.[1] as keyof typeof exampleTypes | undefined;
  const path = join(folder, 'examples', name);
  if (extension === undefined || !existsSync(path)) return undefined;
  return { type: exampleTypes[extension], text: readFileSync(path, 'utf8') };
}
