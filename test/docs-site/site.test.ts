import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { renderMarkdown } from '../../src/docs-site/markdown.ts';
import { listOperations } from '../../src/docs-site/reference/document.ts';
import { assetPrefix, renderSite } from '../../src/docs-site/site.ts';
import { problems } from '../../src/platform/http/errors.ts';

const root = new URL('../../', import.meta.url);
const document = JSON.parse(readFileSync(new URL('openapi/openapi.json', root), 'utf8'));
const site = renderSite(document);
const pages = new Map(
  [...site].filter(([, { type }]) => type.startsWith('text/html')).map(([path, { bytes }]) => [path, bytes.toString()]),
);
const idsOf = (page: string) => [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);

describe('the documentation', () => {
  it('has a page for every guide and every operation, and a section for every error', () => {
    for (const file of globSync(['*.md', 'operate/*.md'], { cwd: new URL('docs/', root) })) {
      const path = `/docs/guides/${file.replace(/(\/README)?\.md$/, '')}`;
      assert(pages.has(path), path);
    }
    const all = [...pages.values()].join('');
    for (const { operationId } of listOperations(document)) assert(all.includes(`id="${operationId}"`), operationId);
    for (const name of Object.keys(document.webhooks)) assert(all.includes(`<h2 id="${name}">`), name);
    const errors = idsOf(pages.get('/docs/errors') ?? '');
    for (const code of Object.keys(problems)) assert(errors.includes(code), code);
  });

  it('links only to pages and headings that exist', () => {
    const missing: string[] = [];
    const served = /^\/(v1\/openapi\.json|docs\/examples\/roster\.(csv|json))?$/;
    for (const [path, page] of pages) {
      for (const [, href = ''] of page.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const { pathname, hash, origin } = new URL(href, `http://docs.invalid${path}`);
        if (origin !== 'http://docs.invalid' || served.test(pathname)) continue;
        const target = pages.get(pathname);
        const isFile = pathname.startsWith(assetPrefix) && site.has(pathname);
        const hasAnchor = hash === '' || (target !== undefined && idsOf(target).includes(hash.slice(1)));
        if (!isFile && (target === undefined || !hasAnchor)) missing.push(`${path}: ${href}`);
      }
    }
    assert.deepEqual(missing, []);
  });

  it('names every heading once per page, and contains no inline script or style', () => {
    for (const [path, page] of pages) {
      const ids = idsOf(page);
      assert.deepEqual(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        [],
        path,
      );
      assert.equal(page.match(/<h1\b/g)?.length, 1, path);
      assert.doesNotMatch(page, /<style|<script(?! src=)|\sstyle=|\son\w+="/, path);
    }
  });

  it('escapes HTML in Markdown, and makes no link to a script', () => {
    const { html } = renderMarkdown('# A\n\n<img src=x onerror=alert(1)> [x](javascript:alert(1)) <b>');
    assert.doesNotMatch(html, /<img|<b>|href="javascript/);
    assert.match(html, /&lt;img src=x/);
  });
});
