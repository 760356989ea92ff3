import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Language, languages } from '../domain/enums.ts';
import { readVersion } from '../platform/config/version.ts';
import { ApiError } from '../platform/http/errors.ts';
import { matchesETag } from '../platform/http/kept-pages.ts';
import { findReaderLanguage } from '../platform/http/reader-language.ts';
import { createCompressor } from './compress.ts';
import type { Document } from './reference/document.ts';
import type { Site, StaticFile } from './site.ts';

/** Allows the files of this host only. The pages contain no inline scripts or styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const languageCookie = 'docs-language';
const yearSeconds = 31_536_000;

const readQuery = ({ url }: FastifyRequest) => new URLSearchParams(url.split('?')[1]);

/** Returns the language that the address names, which is then kept, that was kept, or that the browser prefers. */
function chooseLanguage(request: FastifyRequest, reply: FastifyReply): Language {
  const { headers } = request;
  const isOurs = (value: unknown): value is Language => languages.some((one) => one === value);
  const lang = readQuery(request).get('lang');
  if (isOurs(lang)) {
    reply.header('set-cookie', `${languageCookie}=${lang}; Path=/docs; Max-Age=${yearSeconds}; SameSite=Lax`);
    return lang;
  }
  const kept = new RegExp(`(?:^|; )${languageCookie}=(\\w+)`).exec(headers.cookie ?? '')?.[1];
  return isOurs(kept) ? kept : (findReaderLanguage(headers['accept-language']) ?? 'en');
}

/** The package of the client library, as `npm run build` writes it. */
const clientPackage = new URL('../../sdk/package.tgz', import.meta.url);

const aYear = `public, max-age=${yearSeconds}, immutable`;

/** Registers the documentation, loaded and rendered at the first request so that a start and a worker pay nothing for it. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  const compress = createCompressor();
  const sites: Partial<Record<Language, Site>> = {};
  const siteOf = async (language: Language) => {
    const { renderSite } = await import('./site.ts');
    sites[language] ??= renderSite(app.swagger() as unknown as Document, language);
    return sites[language];
  };
  const send = async (request: FastifyRequest, reply: FastifyReply, file: StaticFile) => {
    const { encoding, etag, bytes } = await compress(file, String(request.headers['accept-encoding'] ?? ''));
    reply.headers({
      'cache-control': file.isImmutable ? aYear : 'no-cache',
      'content-security-policy': contentSecurityPolicy,
      vary: file.isImmutable ? 'accept-encoding' : 'accept-encoding, accept-language, cookie',
      etag,
    });
    if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.type(file.type).send(bytes);
  };
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, public: true };
    });
    const schema = { hide: true };
    docs.get('/docs', { schema }, async (_request, reply) => reply.redirect('/docs/', 301));
    docs.get('/docs/examples/:name', { schema }, async (request, reply) => {
      const { findExample } = await import('./guides.ts');
      const example = findExample((request.params as { name: string }).name);
      if (example === undefined) throw new ApiError('route-not-found', 'There is no such example.');
      return reply.type(example.type).send(example.text);
    });
    docs.get('/docs/client/:name', { schema }, async (request, reply) => {
      const { name } = request.params as { name: string };
      if (name !== 'transit-benefits-client.tgz' && name !== `transit-benefits-client-${readVersion()}.tgz`) {
        throw new ApiError('route-not-found', 'There is no such file. Use transit-benefits-client.tgz.');
      }
      const bytes = await readFile(clientPackage).catch(() => undefined);
      if (bytes === undefined) {
        throw new ApiError('route-not-found', 'The client library is not built. The operator can run `npm run build`.');
      }
      const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
      reply.headers({ 'cache-control': 'no-cache', etag });
      if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type('application/gzip').send(bytes);
    });
    docs.get('/docs/guides/*', { schema }, async (request, reply) =>
      reply.redirect(request.url.replace('/docs/guides/', '/docs/'), 301),
    );
    docs.get('/docs/search', { schema }, async (request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'content-security-policy': contentSecurityPolicy });
      const { search } = await siteOf(chooseLanguage(request, reply));
      return reply.type('text/html; charset=utf-8').send(search(readQuery(request).get('q') ?? ''));
    });
    docs.get('/docs/*', { schema }, async (request, reply) => {
      const path = request.url.split('?')[0] ?? '';
      const { files } = await siteOf(chooseLanguage(request, reply));
      const file = files.get(path) ?? files.get(path.replace(/\/$/, ''));
      if (file === undefined) throw new ApiError('route-not-found', 'There is no such page. /docs/ lists all of them.');
      return send(request, reply, file);
    });
    docs.get('/favicon.ico', { schema }, async (_request, reply) => {
      const { mark } = await import('./site.ts');
      return reply.type('image/svg+xml').send(mark);
    });
  });
}
