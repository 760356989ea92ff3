import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

const protect = helmet({
  contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
  crossOriginResourcePolicy: { policy: 'same-site' },
});

/**
 * What helmet says of every answer, asked once: they are always the same, and as a hook it would set them one by one for
 * each request. Pages say otherwise where they have to.
 */
export function securityHeaders(): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  protect(response.req, response, () => {});
  return response.getHeaders() as Record<string, string>;
}
