import type { FastifyInstance, FastifyRequest } from 'fastify';

export type ApiResult = { isOk: true; data: unknown } | { isOk: false; problem: Record<string, unknown> };

export type CallApi = (path: string, body?: unknown) => Promise<ApiResult>;

/** Calls the API inside of this process, with the permissions, limits and log lines of the key. */
export const createCaller =
  (app: FastifyInstance, request: FastifyRequest): CallApi =>
  async (path, body) => {
    const response = await app.inject({
      method: body === undefined ? 'GET' : 'POST',
      url: `/v1${path}`,
      remoteAddress: request.ip,
      headers: {
        authorization: request.headers.authorization ?? '',
        'user-agent': request.headers['user-agent'] ?? 'mcp',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    const value = response.json<{ data: unknown } & Record<string, unknown>>();
    return response.statusCode < 300 ? { isOk: true, data: value.data } : { isOk: false, problem: value };
  };

/** A tool could not do its work, because the API has refused a request of it. */
export class ToolError extends Error {
  readonly problem: Record<string, unknown>;

  constructor(problem: Record<string, unknown>) {
    super(String(problem.detail));
    this.problem = problem;
  }
}

export async function requireData<T>(result: Promise<ApiResult>): Promise<T> {
  const found = await result;
  if (!found.isOk) throw new ToolError(found.problem);
  return found.data as T;
}
