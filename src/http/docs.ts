import { randomBytes } from 'node:crypto';
import apiReference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { problems } from '../errors.ts';

/**
 * Returns the policy for one response. Inline scripts and styles, and styles that scripts create, carry the nonce of
 * the response.
 */
const contentSecurityPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    // The only style attribute that the reference does not set by script.
    "style-src-attr 'unsafe-hashes' 'sha256-LGszelMz0+v6/EfEtNYVFCYH7w05IKqvd9gau6UXRbE='",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Marks where the nonce belongs in a page. Replaced when the page is sent. */
const noncePlaceholder = '%NONCE%';

const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>');

/**
 * Runs before the reference, whose script creates its styles. Gives the nonce to style elements and sets style
 * attributes as properties, which no policy forbids.
 */
const styleScript = `(() => {
  const { nonce } = document.currentScript;
  const { createElement } = Document.prototype;
  Document.prototype.createElement = function (name, options) {
    const element = createElement.call(this, name, options);
    if (String(name).toLowerCase() === 'style') element.nonce = nonce;
    return element;
  };
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (name, value) {
    if (String(name).toLowerCase() === 'style' && this.style) this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };
})();
`;

/** Renders the page that the `type` of every problem links to, with one section per code. */
function renderErrorsPage(): string {
  const sections = Object.entries(problems).map(
    ([code, { status, title, remedy }]) =>
      `<section id="${code}"><h2>${escapeHtml(title)}</h2><p class="code">${status} <code>${code}</code></p><p>${escapeHtml(remedy)}</p></section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors – Employee Transit Ticket Benefits API</title>
<style nonce="${noncePlaceholder}">
:root { color-scheme: light dark; }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1.25rem; }
section { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .5rem 0 1rem; }
section:target { border-top: 3px solid #0b7285; }
h1 { font-size: 1.8rem; } h2 { font-size: 1.15rem; margin: .75rem 0 0; }
.code { margin: 0; opacity: .75; } code { font-size: .9em; }
</style>
</head>
<body>
<h1>Errors</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Branch on <code>code</code>, which never changes; show
<code>detail</code> to users; include <code>requestId</code> when you contact us. <a href="/docs/">API reference</a></p>
${sections.join('\n')}
</body>
</html>
`;
}

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b7285"/>' +
  '<path d="M8 9h16v9a4 4 0 0 1-4 4h-8a4 4 0 0 1-4-4z" fill="#fff"/><path d="M10 26l3-3h6l3 3" stroke="#fff" fill="none"/></svg>';

/** Registers the API reference. The service serves all of its assets, so it works without internet access. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  const errorsPage = renderErrorsPage();
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, public: true };
    });
    docs.addHook('onSend', async (_request, reply, payload) => {
      const nonce = randomBytes(18).toString('base64url');
      reply.header('content-security-policy', contentSecurityPolicy(nonce));
      const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
      if (!isPage || typeof payload !== 'string') return payload;
      reply.removeHeader('content-length');
      return payload
        .replace('<head>', `<head><script nonce="${noncePlaceholder}" src="/docs/js/styles.js"></script>`)
        .replaceAll(noncePlaceholder, nonce);
    });
    docs.get('/docs/errors', { schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(errorsPage),
    );
    docs.get('/docs/js/styles.js', { schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(styleScript),
    );
    docs.get('/favicon.ico', { schema: { hide: true } }, async (_request, reply) =>
      reply.type('image/svg+xml').send(icon),
    );
    await docs.register(apiReference, {
      routePrefix: '/docs',
      configuration: {
        url: '/v1/openapi.json',
        nonce: noncePlaceholder,
        pageTitle: 'Employee Transit Ticket Benefits API',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        mcp: { disabled: true },
        agent: { disabled: true },
        defaultOpenAllTags: true,
        authentication: { preferredSecurityScheme: 'apiKey' },
      },
    });
  });
}
