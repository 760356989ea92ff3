import { STATUS_CODES } from 'node:http';
import { problems } from '../platform/http/errors.ts';
import type { Page } from './layout.ts';
import { escapeHtml, renderInline } from './markdown.ts';
import { renderSearch } from './search-field.ts';

const renderProblem = ([code, { title, remedy }]: [string, { title: string; remedy: string }]) =>
  `<section class="entry" id="${code}"><h3>${escapeHtml(title)}</h3><p class="dimmed"><code>${code}</code></p>` +
  `<p>${renderInline(remedy)}</p></section>`;

export function renderErrorsPage(): Page {
  const byStatus = Map.groupBy(Object.entries(problems), ([, { status }]) => status);
  const groups = [...byStatus].toSorted(([a], [b]) => a - b);
  const headingOf = (status: number) => `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  const sections = groups.map(
    ([status, entries]) =>
      `<section data-group><h2 id="status-${status}">${headingOf(status)}</h2>${entries.map(renderProblem).join('')}</section>`,
  );
  const body = `<h1>Errors</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Branch on <code>code</code>, which never changes; show
<code>detail</code> to users; include <code>requestId</code> when you contact us.</p>
${renderSearch('Search errors', 'section.entry')}
${sections.join('\n')}`;
  return {
    title: 'Errors',
    path: '/docs/errors',
    body,
    contents: groups.map(([status]) => ({ id: `status-${status}`, text: headingOf(status) })),
  };
}
