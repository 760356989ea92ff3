import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../platform/http/errors.ts';

/** Allows content from this host only. Styles created by scripts carry the nonce. */
const contentSecurityPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Headers that mean something for a page only, half a kilobyte. Scripts, styles and fonts come without them. */
const ofPages = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

export const noSuchPath = ({ method, url }: FastifyRequest) =>
  new ApiError('route-not-found', `There is no ${method} ${url.split('?')[0]?.slice(0, 200)}.`);

const notPages = /^\/(v1|docs|portal\/api|assets)(\/|$)/;

/** Returns whether a browser that opens this address should receive the portal, which then decides what to show. */
function isPageAddress({ method, url, headers }: FastifyRequest): boolean {
  const path = url.split('?')[0] ?? '';
  // Such as /robots.txt. In deeper paths a dot may be part of an id.
  const isFile = path.lastIndexOf('/') === 0 && path.includes('.');
  const wantsPage = headers.accept?.includes('text/html') ?? false;
  return (method === 'GET' || method === 'HEAD') && wantsPage && !isFile && !notPages.test(path);
}

export interface Pages {
  /** Sends the portal if the address is one of its pages. */
  serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined;
}

/** Reads the portal again for every response, so that a build that replaces it is served whole. */
async function sendPage(folder: string, reply: FastifyReply): Promise<FastifyReply> {
  const nonce = randomBytes(18).toString('base64url');
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  return reply
    .code(200)
    .headers({ 'cache-control': 'no-store', 'content-security-policy': contentSecurityPolicy(nonce) })
    .type('text/html; charset=utf-8')
    .send(page.replace('%NONCE%', nonce));
}

/** Registers `/` and the portal's files. Without a portal, `/` redirects to the API reference. */
export async function registerPages(app: FastifyInstance, folder: string | undefined): Promise<Pages> {
  await app.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, public: true };
    });
    pages.get('/', { schema: { hide: true } }, async (_request, reply) =>
      folder === undefined ? reply.redirect('/docs/') : sendPage(folder, reply),
    );
    // A path that leads out of the folder gets the same response as a path to a missing file.
    pages.setErrorHandler((error: FastifyError, request) => {
      if (error.statusCode === undefined || error.statusCode >= 500) throw error;
      throw noSuchPath(request);
    });
    if (folder === undefined) return;
    pages.addHook('onSend', async (request, reply) => {
      if (request.url.startsWith('/assets/')) for (const name of ofPages) reply.removeHeader(name);
    });
    await pages.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      schemaHide: true,
      index: false,
      decorateReply: false,
      preCompressed: true,
      // File names contain a hash of the contents.
      maxAge: '365d',
      immutable: true,
    });
  });
  return {
    serve: (request, reply) => (folder !== undefined && isPageAddress(request) ? sendPage(folder, reply) : undefined),
  };
}
