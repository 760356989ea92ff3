import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Language } from '../domain/enums.ts';
import { type Rendered, renderMarkdown, type Section } from './markdown.ts';
import type { Text } from './texts.ts';

const folder = join(import.meta.dirname, '../../docs');

/** The order of the guides by subject. A page that is not listed comes last in its group, or in "More". */
const groups: readonly { title: Text; pages: readonly string[] }[] = [
  { title: { de: 'Einstieg', en: 'Start' }, pages: ['portal', 'glossary'] },
  {
    title: { de: 'Entwicklung', en: 'Develop' },
    pages: ['quick-start-*', 'client-library', 'command-line', 'assistants', 'limits'],
  },
  {
    title: { de: 'Beschäftigte', en: 'Employees' },
    pages: [
      'sync-your-roster',
      'subscription-life-cycle',
      'who-decides',
      'offer-tickets',
      'change-what-employees-pay',
      'your-ticket',
      'subscription-requests',
      'contracts',
      'employee-mails',
      'portal-roles',
      'single-sign-on',
    ],
  },
  {
    title: { de: 'HR-Systeme', en: 'HR systems' },
    pages: [
      'connect-personio',
      'connect-hibob',
      'connect-bamboohr',
      'connect-rest',
      'connect-sftp',
      'connect-entra-id',
      'connect-okta',
    ],
  },
  { title: { de: 'Tickets', en: 'Tickets' }, pages: ['connect-an-issuer'] },
  { title: { de: 'Ereignisse', en: 'Events' }, pages: ['events', 'webhooks'] },
  {
    title: { de: 'Geld', en: 'Money' },
    pages: ['payroll', 'invoices', 'corrections', 'read-a-forecast', 'when-the-ticket-price-changes'],
  },
  { title: { de: 'Betrieb', en: 'Operate' }, pages: ['operate', 'operate/*'] },
];
const rest: Text = { de: 'Weitere', en: 'More' };

export interface Guide extends Rendered {
  /** The path below /docs, such as `operate/install`. */
  name: string;
  group: string;
  /** The language of its text. Guides for developers and operators exist in English only. */
  language: Language;
}

export interface GuideGroup {
  title: string;
  guides: Guide[];
}

export const addressOf = (name: string) => `/docs/${name}`;

const nameOf = (file: string) => file.replace(/^de\//, '').replace(/(\/README)?\.md$/, '');

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

/** Reads the guides for readers of a language: in German where there is a translation, those first. */
export function readGuides(language: Language): GuideGroup[] {
  const files = globSync(['*.md', 'operate/*.md', 'de/*.md'], { cwd: folder }).sort();
  const render = (file: string, others?: readonly Section[]) =>
    renderMarkdown(readFileSync(join(folder, file), 'utf8'), (href) => resolveLink(file, href, files), others);
  const originals = files.filter((file) => !file.startsWith('de/'));
  const guides = originals.map((file) => {
    const name = nameOf(file);
    const { group, place } = findPlace(name);
    const original = render(file);
    const isTranslated = language === 'de' && files.includes(`de/${file}`);
    const rendered = isTranslated ? render(`de/${file}`, original.sections) : original;
    const spoken: Language = isTranslated ? 'de' : 'en';
    const title = (groups[group]?.title ?? rest)[language];
    return { ...rendered, name, place, level: group, group: title, language: spoken };
  });
  const sorted = guides.toSorted((a, b) => a.level - b.level || a.place - b.place || a.name.localeCompare(b.name));
  const translatedFirst = sorted.toSorted((a, b) => Number(a.language !== language) - Number(b.language !== language));
  const grouped = Map.groupBy(translatedFirst, ({ group }) => group);
  return [...grouped].map(([title, members]) => ({ title, guides: members }));
}

const exampleTypes = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

export function findExample(name: string): { type: string; text: string } | undefined {
  const extension = /^[\w-]+\.(csv|json)$/.exec(name)?.[1] as keyof typeof exampleTypes | undefined;
  const path = join(folder, 'examples', name);
  if (extension === undefined || !existsSync(path)) return undefined;
  return { type: exampleTypes[extension], text: readFileSync(path, 'utf8') };
}
