import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { employeeStatePrefix } from '../features/employee-access/contract.ts';
import { ApiError } from '../platform/http/errors.ts';
import type { PageFolders, Workspace } from './build.ts';

/** Allows content from this host only. Styles created by scripts of the portal carry the nonce. */
const contentSecurityPolicy = {
  portal: (nonce: string) =>
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
    ].join('; '),
  my: () =>
    [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "manifest-src 'self'",
      "worker-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
};

/** Headers that mean something for a page only, half a kilobyte. Scripts, styles and fonts come without them. */
const ofPages = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-frame-options',
];

export const noSuchPath = ({ method, url }: FastifyRequest) =>
  new ApiError('route-not-found', `There is no ${method} ${url.split('?')[0]?.slice(0, 200)}.`);

const notPages = /^\/(v1|docs|portal\/api|assets|my\/(api|assets))(\/|$)/;

/**
 * Returns where the callback of an identity provider continues if an employee has signed in there: a company registers one
 * callback, and the state says whose sign-in it is.
 */
function findEmployeeCallback(url: string): string | undefined {
  const [, connection, query = ''] = /^\/sso\/callback\/([1-9]\d{0,14})\?(.*)$/.exec(url) ?? [];
  const isOfEmployee = new URLSearchParams(query).get('state')?.startsWith(employeeStatePrefix) ?? false;
  return connection !== undefined && isOfEmployee ? `/my/sso/${connection}?${query}` : undefined;
}

const isMine = (path: string) => path === '/my' || path.startsWith('/my/');

/** Returns whose page a browser that opens this address should receive. The page then decides what to show. */
function findPage({ method, url, headers }: FastifyRequest): Workspace | undefined {
  const path = url.split('?')[0] ?? '';
  // Such as /robots.txt. In deeper paths a dot may be part of an id.
  const isFile = path.lastIndexOf('/') === 0 && path.includes('.');
  const wantsPage = headers.accept?.includes('text/html') ?? false;
  if ((method !== 'GET' && method !== 'HEAD') || !wantsPage || isFile || notPages.test(path)) return undefined;
  return isMine(path) ? 'my' : 'portal';
}

export interface Pages {
  /** Sends the portal or the employee's page if the address is one of theirs. */
  serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined;
}

/** Reads the page again for every response, so that a build that replaces it is served whole. */
async function sendPage(folders: PageFolders, workspace: Workspace, reply: FastifyReply): Promise<FastifyReply> {
  const nonce = randomBytes(18).toString('base64url');
  const page = await readFile(join(folders[workspace], 'index.html'), 'utf8');
  return reply
    .code(200)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy[workspace](nonce),
      'x-frame-options': 'DENY',
    })
    .type('text/html; charset=utf-8')
    .send(page.replace('%NONCE%', nonce));
}

const redirectTo = async (address: string, reply: FastifyReply): Promise<FastifyReply> => reply.redirect(address);

/** The files of the employee's page whose names never change. A browser asks for them again each time. */
const fixedFiles = [
  'service-worker.js',
  'manifest.webmanifest',
  'icon.svg',
  'icon-180.png',
  'icon-192.png',
  'icon-512.png',
];

/** Registers `/`, and the files of the portal and of the employee's page. Without pages, `/` redirects to the API reference. */
export async function registerPages(app: FastifyInstance, folders: PageFolders | undefined): Promise<Pages> {
  await app.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, public: true };
    });
    pages.get('/', { schema: { hide: true } }, async (_request, reply) =>
      folders === undefined ? reply.redirect('/docs/') : sendPage(folders, 'portal', reply),
    );
    // A path that leads out of the folder gets the same response as a path to a missing file.
    pages.setErrorHandler((error: FastifyError, request) => {
      if (error.statusCode === undefined || error.statusCode >= 500) throw error;
      throw noSuchPath(request);
    });
    if (folders === undefined) return;
    pages.addHook('onSend', async (request, reply) => {
      if (/^\/(my\/)?assets\//.test(request.url)) for (const name of ofPages) reply.removeHeader(name);
    });
    for (const [workspace, prefix] of [
      ['portal', '/assets/'],
      ['my', '/my/assets/'],
    ] as const) {
      await pages.register(fastifyStatic, {
        root: join(folders[workspace], 'assets'),
        prefix,
        schemaHide: true,
        index: false,
        decorateReply: false,
        preCompressed: true,
        // File names contain a hash of the contents.
        maxAge: '365d',
        immutable: true,
        // The tag is enough to recognize a file, and nobody continues the download of one.
        lastModified: false,
        acceptRanges: false,
      });
    }
    await pages.register(fastifyStatic, { root: folders.my, serve: false });
    for (const name of fixedFiles) {
      pages.get(`/my/${name}`, { schema: { hide: true } }, async (_request, reply) => {
        // The service worker also controls /my itself, which is above the folder of its file.
        if (name === 'service-worker.js') {
          const policy = "default-src 'none'; script-src 'self'; connect-src 'self'";
          reply.headers({ 'service-worker-allowed': '/my', 'content-security-policy': policy });
        }
        return reply.header('cache-control', 'no-cache').sendFile(name, { cacheControl: false });
      });
    }
  });
  return {
    serve(request, reply) {
      const workspace = findPage(request);
      if (folders === undefined || workspace === undefined) return undefined;
      const callback = findEmployeeCallback(request.url);
      return callback === undefined ? sendPage(folders, workspace, reply) : redirectTo(callback, reply);
    },
  };
}
