import type { Language } from '../domain/enums.ts';
import { addressOf, type Guide } from './guides.ts';
import { type Page, renderNote } from './layout.ts';
import { escapeHtml } from './markdown.ts';
import { countText, texts } from './texts.ts';

/** One section of a guide, with its words as they are compared. */
interface Entry {
  href: string;
  guide: Guide;
  heading: string;
  body: string;
  foldedTitle: string;
  foldedBody: string;
}

/** One query costs at most these many words, each compared with every section, and these many excerpts. */
const limits = { characters: 100, words: 6, results: 20, excerpt: 220 };

/** Returns the text in lower case without accents and of the same length, so that positions in it stay the same. */
const fold = (text: string) =>
  text.replaceAll(/[\u0080-\uffff]/g, (unit) => unit.normalize('NFD').charAt(0).toLowerCase()).toLowerCase();

export const createIndex = (guides: readonly Guide[]): Entry[] =>
  guides.flatMap((guide) =>
    guide.sections.map(({ id, text, body }, index) => ({
      href: addressOf(guide.name) + (index === 0 ? '' : `#${id}`),
      guide,
      heading: text,
      body,
      foldedTitle: fold(`${guide.title} ${text}`),
      foldedBody: fold(body),
    })),
  );

/** Returns how well an entry fits: words in headings count most. Returns 0 if a word is missing. */
function rate({ foldedTitle, foldedBody }: Entry, words: readonly string[]): number {
  const points = words.map(
    (word) => (foldedTitle.includes(word) ? 10 : 0) + Math.min(foldedBody.split(word).length - 1, 5),
  );
  return points.includes(0) ? 0 : points.reduce((sum, point) => sum + point, 0);
}

/** Returns a part of the text around the first word that was found, with all words marked. */
function renderExcerpt({ body, foldedBody }: Entry, words: readonly string[]): string {
  const places = words.map((word) => foldedBody.indexOf(word)).filter((place) => place >= 0);
  const first = Math.max(0, Math.min(...places, foldedBody.length) - 60);
  const from = places.length === 0 || first === 0 ? 0 : foldedBody.indexOf(' ', first) + 1;
  const isCut = from + limits.excerpt < body.length;
  const text = body.slice(from, from + limits.excerpt).replace(isCut ? /\s\S*$/ : '', '');
  const pattern = new RegExp(words.map((word) => RegExp.escape(word)).join('|'), 'g');
  let html = '';
  let end = 0;
  for (const { 0: word, index } of fold(text).matchAll(pattern)) {
    html += `${escapeHtml(text.slice(end, index))}<mark>${escapeHtml(text.slice(index, index + word.length))}</mark>`;
    end = index + word.length;
  }
  return `${from > 0 ? '… ' : ''}${html}${escapeHtml(text.slice(end))}${isCut ? ' …' : ''}`;
}

export const renderSearchForm = (language: Language, query = '') =>
  `<form class="search" role="search" action="/docs/search"><label for="q">${texts.searchGuides[language]}</label>` +
  `<input type="search" id="q" name="q" maxlength="${limits.characters}" value="${escapeHtml(query)}">` +
  `<input type="hidden" name="lang" value="${language}"><button>${texts.find[language]}</button></form>`;

/** Renders the sections that contain all words of the query, the best first, those in the reader's language before. */
export function renderSearchPage(index: readonly Entry[], asked: string, language: Language): Page {
  const query = asked.slice(0, limits.characters).trim();
  const words = [...new Set(fold(query).split(/\s+/).filter(Boolean))].slice(0, limits.words);
  const found = index
    .map((entry) => ({ entry, points: words.length === 0 ? 0 : rate(entry, words) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => {
      const isForeign = (one: typeof a) => Number(one.entry.guide.language !== language);
      return isForeign(a) - isForeign(b) || b.points - a.points;
    });
  const shown = found.slice(0, limits.results).map(({ entry }) => {
    const { href, guide, heading } = entry;
    const title = heading === guide.title ? heading : `${guide.title} › ${heading}`;
    const speech = guide.language === language ? '' : ` lang="${guide.language}"`;
    return (
      `<li><a href="${href}"${speech}>${escapeHtml(title)}</a>${renderNote(guide.language, language)}` +
      `<p${speech}>${renderExcerpt(entry, words)}</p></li>`
    );
  });
  const count = countText(found.length, shown.length)[language];
  const outcome =
    found.length === 0 ? `<p role="status">${texts.nothingFound[language]}</p>` : `<p role="status">${count}</p>`;
  return {
    title: query === '' ? texts.search[language] : `${texts.search[language]}: ${query}`,
    path: '/docs/search',
    query: new URLSearchParams({ q: query }).toString(),
    language,
    body:
      `<h1>${texts.search[language]}</h1>${renderSearchForm(language, query)}` +
      `${words.length === 0 ? '' : outcome}<ul class="found">${shown.join('')}</ul>`,
  };
}
