import { addressOf } from '../guides.ts';
import type { NavItem, Page } from '../layout.ts';
import { anchorOf, escapeHtml, renderCode, renderInline, renderMarkdown, renderText } from '../markdown.ts';
import { renderSearch } from '../search-field.ts';
import { type Document, listOperations, type Operation, type Parameter, type PlacedOperation } from './document.ts';
import { describeLimits, describeType, renderFields, schemasPath } from './fields.ts';
import { renderCurl } from './sample.ts';

const home = '/docs/reference';
const pathOf = (tag: string) => `${home}/${anchorOf(tag)}`;

/** Guides that say more than the operations. The document contains some of them in full. */
const guides: Record<string, string> = {
  Billing: 'payroll',
  'Roster sync': 'sync-your-roster',
  Events: 'events',
  Webhooks: 'webhooks',
};

const keyHint = `<p>The samples take your key from a variable. Set it once, with a key from the portal:</p>
${renderCode("KEY='username:password'")}`;

function renderParameters(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(({ name, in: place, required, description = '', schema = {} }) => {
    const words = [renderInline(description), describeLimits(schema)].filter(Boolean).join(' ');
    const facts = `${describeType(schema)}<br>${place}${required ? ', required' : ''}`;
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${facts}</td><td>${words}</td></tr>`;
  });
  return `<h3>Parameters</h3><div class="scroll" tabindex="0"><table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></div>`;
}

function renderBody({ requestBody }: Operation): string {
  const schema = requestBody?.content['application/json']?.schema;
  return schema === undefined ? '' : `<h3>Body</h3><p>JSON: ${describeType(schema)}</p>${renderFields(schema)}`;
}

function renderResponses({ responses }: Operation): string {
  const parts = Object.entries(responses).map(([status, { description, content = {} }]) => {
    if (Number(status) >= 400)
      return `<li><code>${status}</code> ${renderInline(description.replaceAll('\n\n', ' '))}</li>`;
    const types = Object.entries(content).map(([type, { schema = {}, examples = {} }]) => {
      const [example] = Object.values(examples);
      const code = example === undefined ? '' : renderCode(JSON.stringify(example.value, null, 2));
      return `<p class="dimmed">${escapeHtml(type)}</p>${type === 'application/json' ? renderFields(schema) : ''}${code}`;
    });
    return `<li><code>${status}</code> ${renderInline(description)}${types.join('')}</li>`;
  });
  return `<h3>Responses</h3><ul>${parts.join('')}</ul>`;
}

function renderOperation(document: Document, operation: PlacedOperation): string {
  const { operationId, summary, method, path, description = '', parameters = [] } = operation;
  return `<section class="entry"><h2 id="${operationId}">${escapeHtml(summary)}</h2>
<p><span class="method">${method}</span> <code>${escapeHtml(path)}</code></p>
${renderText(description)}${renderCode(renderCurl(document, operation))}
${renderParameters(parameters)}${renderBody(operation)}${renderResponses(operation)}</section>`;
}

function renderWebhook([name, { post }]: [string, { post: Operation }]): string {
  const { schema, examples = {} } = post.requestBody?.content['application/json'] ?? {};
  const [example] = Object.values(examples);
  return `<section class="entry"><h2 id="${escapeHtml(name)}"><code>${escapeHtml(name)}</code></h2>
${renderText(post.description ?? '')}${schema === undefined ? '' : renderFields(schema)}
${example === undefined ? '' : renderCode(JSON.stringify(example.value, null, 2))}</section>`;
}

function renderTag(document: Document, { name, description = '' }: { name: string; description?: string }): Page {
  const operations = listOperations(document).filter(({ tags }) => tags?.includes(name));
  const webhooks = name === 'Webhooks' ? Object.entries(document.webhooks ?? {}) : [];
  const guide = guides[name];
  const hint = guide === undefined ? '' : `<p><a href="${addressOf(guide)}">Read the guide</a></p>`;
  const isGuide = description.includes('\n');
  const sections = [...operations.map((one) => renderOperation(document, one)), ...webhooks.map(renderWebhook)];
  return {
    title: name,
    path: pathOf(name),
    body: `<h1>${escapeHtml(name)}</h1>${isGuide ? '' : renderText(description)}${hint}${operations.length > 0 ? keyHint : ''}${sections.join('\n')}`,
    contents: [
      ...operations.map(({ operationId, summary }) => ({ id: operationId, text: summary })),
      ...webhooks.map(([text]) => ({ id: text, text })),
    ],
  };
}

function renderSchemas({ components }: Document): Page {
  const schemas = Object.entries(components?.schemas ?? {});
  const sections = schemas.map(
    ([name, schema]) =>
      `<section class="entry"><h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2>${renderText(schema.description ?? '')}` +
      `<p class="dimmed">${describeType(schema)}</p>${renderFields(schema)}</section>`,
  );
  return {
    title: 'Schemas',
    path: schemasPath,
    body: `<h1>Schemas</h1>${renderSearch('Search schemas', 'section.entry')}${sections.join('\n')}`,
    contents: schemas.map(([name]) => ({ id: name, text: name })),
  };
}

function renderOverview(document: Document): Page {
  const rows = listOperations(document).map(
    ({ method, path, operationId, summary, tags }) =>
      `<tr class="row"><td><a href="${pathOf(tags?.[0] ?? '')}#${operationId}">${escapeHtml(summary)}</a></td>` +
      `<td><span class="method">${method}</span></td><td><code>${escapeHtml(path)}</code></td></tr>`,
  );
  const { html } = renderMarkdown(document.info.description ?? '');
  return {
    title: 'API reference',
    path: home,
    body: `<h1>API reference</h1>${html}
<h2 id="environments">Environments</h2>
<ul>${(document.servers ?? []).map(({ url, description = '' }) => `<li>${escapeHtml(description)}: <code>${escapeHtml(url)}</code></li>`).join('')}</ul>
<p>Each environment has its own data, keys and ids. The OpenAPI 3.1 document is at
<a href="/v1/openapi.json"><code>/v1/openapi.json</code></a>, without a key.</p>
<h2 id="operations">Operations</h2>${renderSearch('Search operations', 'tr.row')}
<div class="scroll" tabindex="0"><table><thead><tr><th>Operation</th><th>Method</th><th>Path</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
  };
}

export const renderReference = (document: Document): Page[] => [
  renderOverview(document),
  ...(document.tags ?? []).map((tag) => renderTag(document, tag)),
  renderSchemas(document),
];

export const referenceNav = (pages: readonly Page[]): NavItem[] =>
  pages.map(({ path, title }) => ({ href: path, text: path === home ? 'Overview' : title }));
