import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from '../features/caller.ts';
import type { AppContext } from '../features/context.ts';
import { usernameOf } from '../features/keys/credentials.ts';
import { ApiError } from '../platform/http/errors.ts';
import { extendTimeout } from '../platform/http/extend-timeout.ts';
import { createCaller } from './call-api.ts';

/** Enough for a roster of 1,000 employees, which is more than an assistant can write. */
export const maxRequestBytes = 512 * 1024;

/** Refuses pages of other sites, as the protocol demands. Programs send no `Origin`. */
function assertOrigin({ headers }: FastifyRequest, publicUrl: string): void {
  if (headers.origin === undefined || headers.origin === new URL(publicUrl).origin) return;
  throw new ApiError('cross-site-request', 'Pages of other sites may not use this. Connect from a program instead.');
}

const passedHeaders = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name'];

/** Returns the request in the form of web standards, without its body, which is passed on as a value. */
function toWebRequest({ headers }: FastifyRequest, url: string): Request {
  const passed = passedHeaders.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new Request(url, { method: 'POST', headers: passed });
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const body = Buffer.from(await response.arrayBuffer());
  reply.status(response.status);
  const type = response.headers.get('content-type');
  if (type !== null) reply.type(type);
  return reply.send(body);
}

/** Loads the protocol with the first request, since it takes a third of a second and 9 MB, and most services are not asked for it. */
const loadProtocol = async () => ({
  ...(await import('@modelcontextprotocol/server')),
  ...(await import('./server.ts')),
});

/** Registers the Model Context Protocol, one stateless operation. Clients ask for its tools, not for OpenAPI. */
export function registerMcp(app: FastifyInstance, { config, db, slots }: AppContext): void {
  app.post(
    '/mcp',
    { config: { permissions: [] }, bodyLimit: maxRequestBytes, schema: { hide: true } },
    async function mcpHandler(request, reply) {
      assertOrigin(request, config.publicUrl);
      extendTimeout(reply);
      const principal = principalOf(request);
      const { companyId, permissions } = principal;
      const context = { call: createCaller(app, request), db, companyId };
      const { createMcpHandler, createMcpServer } = await loadProtocol();
      const handler = createMcpHandler(() => createMcpServer(permissions, context), {
        // There is nothing to subscribe to, and a request must end.
        maxSubscriptions: 0,
        onerror: (error) => request.log.debug({ err: error }, 'mcp request refused'),
      });
      try {
        const url = new URL('/mcp', config.publicUrl).href;
        const parsed = { parsedBody: request.body };
        return await slots.assistants.run({ companyId, name: usernameOf(principal) }, async () =>
          send(reply, await handler.fetch(toWebRequest(request, url), parsed)),
        );
      } finally {
        await handler.close();
      }
    },
  );
}
