import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { guideAddress, guideOf, guides as portalGuides } from '../../portal/src/app/guides.ts';
import { renderMarkdown } from '../../src/docs-site/markdown.ts';
import { listOperations } from '../../src/docs-site/reference/document.ts';
import { assetPrefix, renderSite, type Site } from '../../src/docs-site/site.ts';
import { problems } from '../../src/platform/http/errors.ts';

const root = new URL('../../', import.meta.url);
const document = JSON.parse(readFileSync(new URL('openapi/openapi.json', root), 'utf8'));
const sites = { en: renderSite(document, 'en'), de: renderSite(document, 'de') };
const pagesOf = ({ files }: Site) =>
  new Map(
    [...files].filter(([, { type }]) => type.startsWith('text/html')).map(([path, file]) => [path, `${file.bytes}`]),
  );
const pages = pagesOf(sites.en);
const german = pagesOf(sites.de);
const guidesFolder = new URL('docs/', root);
const translated = globSync('*.md', { cwd: new URL('de/', guidesFolder) });
const readGuide = (file: string) => readFileSync(new URL(file, guidesFolder), 'utf8');
const idsOf = (page: string) => [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);

describe('the documentation', () => {
  it('has a page for every guide and every operation, and a section for every error', () => {
    for (const file of globSync(['*.md', 'operate/*.md'], { cwd: new URL('docs/', root) })) {
      const path = `/docs/${file.replace(/(\/README)?\.md$/, '')}`;
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
    const served = /^\/(v1\/openapi\.json|docs\/examples\/roster\.(csv|json)|docs\/search)?$/;
    const all = [...pages, ...german];
    for (const [index, [path, page]] of all.entries()) {
      const [own, other] = index < pages.size ? [pages, german] : [german, pages];
      for (const [, href = ''] of page.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const { pathname, hash, origin, search } = new URL(href, `http://docs.invalid${path}`);
        if (origin !== 'http://docs.invalid' || served.test(pathname)) continue;
        const target = (search.startsWith('?lang=') ? other : own).get(pathname);
        const isFile = pathname.startsWith(assetPrefix) && sites.en.files.has(pathname);
        const hasAnchor =
          hash === '' || (target !== undefined && idsOf(target).includes(decodeURIComponent(hash.slice(1))));
        if (!isFile && (target === undefined || !hasAnchor)) missing.push(`${path}: ${href}`);
      }
    }
    assert.deepEqual(missing, []);
  });

  it('names every heading once per page, and contains no inline script or style', () => {
    for (const [path, page] of [...pages, ...german]) {
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

  it('has the same sections, tables and code in German', () => {
    assert(translated.length >= 12, translated.join());
    const outlineOf = (file: string) => {
      const text = readGuide(file);
      return {
        headings: text.replaceAll(/^```.*?^```$/gms, '').match(/^#+(?= )/gm),
        tables: text.match(/^\| ?-.*$/gm)?.length,
        code: text.match(/^```\w*/gm),
      };
    };
    for (const file of translated) assert.deepEqual(outlineOf(`de/${file}`), outlineOf(file), file);
  });

  it('has every guide in German that a page of the portal for HR and payroll opens', () => {
    const forDevelopers = ['quick-start-curl', 'limits', 'webhooks', 'events'];
    const names = Object.values(portalGuides);
    for (const [name = '', anchor] of names.map((guide) => guide.split('#'))) {
      for (const all of [pages, german]) {
        const page = all.get(`/docs/${name}`);
        assert(page !== undefined, name);
        assert(anchor === undefined || idsOf(page).includes(anchor), `${name}#${anchor}`);
      }
      assert.equal(translated.includes(`${name}.md`), !forDevelopers.includes(name), name);
    }
  });

  it('has a guide for every page of the portal', () => {
    const source = readFileSync(new URL('portal/src/app/routes.tsx', root), 'utf8');
    const routes = source.slice(source.lastIndexOf('Shell'));
    const paths = [...routes.matchAll(/path: '(\/[^']*)'/g)].map(([, path]) => path ?? '');
    assert(paths.length > 25, paths.join());
    const missing = paths.filter((path) => portalGuides[path.replace(/(?<=\/[^/]+)\/.*/, '')] === undefined);
    assert.deepEqual(missing, [], 'name their guide in portal/src/app/guides.ts');
    assert.equal(guideOf('/integrations/3/upload'), 'sync-your-roster');
    assert.equal(guideAddress('portal#settings', 'de'), '/docs/portal?lang=de#settings');
  });

  it('is in German for readers of German, and says which guides are in English', () => {
    assert.match(
      german.get('/docs/payroll') ?? '',
      /<html lang="de">[\s\S]*<h1 id="lohnexport"><span id="payroll-files">/,
    );
    const home = german.get('/docs/') ?? '';
    assert.match(home, /href="\/docs\/webhooks" lang="en">Receive webhooks <span [^>]*lang="de">\(englisch\)/);
    assert.doesNotMatch(home, /href="\/docs\/payroll" lang="en"/);
    assert.match(
      german.get('/docs/webhooks') ?? '',
      /<div class="text" lang="en">\n<p [^>]*>Diese Seite gibt es nur auf/,
    );
    assert.match(pages.get('/docs/payroll') ?? '', /<html lang="en">[\s\S]*href="\/docs\/payroll\?lang=de" lang="de"/);
  });

  it('finds sections by their words, in the language of the reader first', () => {
    const found = (language: 'de' | 'en', query: string) =>
      [
        ...(sites[language]
          .search(query)
          .split('<main')[1]
          ?.matchAll(/<li><a href="([^"]+)"[^>]*>[^<]*<\/a>[\s\S]*?<p[^>]*>(.*?)<\/p>/g) ?? []),
      ].map(([, href, excerpt]) => ({ href, excerpt }));
    assert.equal(found('de', 'DATEV')[0]?.href, '/docs/payroll#datev-lodas');
    assert.equal(found('en', 'datev lodas')[0]?.href, '/docs/payroll#datev-lodas');
    assert.match(found('de', 'kündigung')[0]?.excerpt ?? '', /<mark>Kündigung<\/mark>/);
    assert.deepEqual(found('de', 'kundigung'), found('de', 'KÜNDIGUNG'));
    assert.equal(found('de', 'Leitweg-ID')[0]?.href, '/docs/invoices#vor-der-ersten-rechnung');
    assert.match(sites.de.search('Schnabeltier'), /Kein Abschnitt enthält alle diese Wörter/);
    assert.deepEqual(found('en', ''), []);
  });

  it('bounds what a search costs and shows, and escapes it', () => {
    const page = sites.en.search('e '.repeat(50_000));
    assert.equal(page.match(/<li><a href="[^"]*"[^>]*>[^<]*<\/a>[^<]*<p/g)?.length, 20);
    assert.match(page, /\d{3} sections found, the first 20 are shown/);
    const hostile = sites.en.search(`"><script>alert(1)</script> ${'(a+)+$'.repeat(20)}`);
    assert.doesNotMatch(hostile, /<script>/);
    assert.match(hostile, /value="&quot;&gt;&lt;script&gt;/);
    assert.match(sites.en.search('<b>'), /<title>Search: &lt;b&gt;/);
  });

  it('escapes HTML in Markdown, and makes no link to a script', () => {
    const { html } = renderMarkdown('# A\n\n<img src=x onerror=alert(1)> [x](javascript:alert(1)) <b>');
    assert.doesNotMatch(html, /<img|<b>|href="javascript/);
    assert.match(html, /&lt;img src=x/);
  });
});
