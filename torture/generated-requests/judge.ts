import { problems } from '../../src/platform/http/errors.ts';
import { assertDocumented } from '../../test/support/openapi.ts';
import { assertPortalDocumented } from '../../test/support/portal-document.ts';
import { type HttpResponse, readJson } from '../support/http-client.ts';
import type { GeneratedRequest } from './mistakes.ts';

export const findingKinds = {
  failed: 'operations that returned 5xx',
  undocumented: 'operations with a response that the OpenAPI document does not describe',
  accepted: 'operations that accepted an invalid request',
  misjudged: 'operations that refused an invalid request for another reason',
  refused: 'operations that refused a valid request',
};
export type FindingKind = keyof typeof findingKinds;

export class Finding extends Error {
  readonly kind: FindingKind;

  constructor(kind: FindingKind, message: string) {
    super(`${kind}: ${message}`);
    this.kind = kind;
  }
}

interface Problem {
  status?: unknown;
  code?: string;
  requestId?: unknown;
  errors?: { parameter?: string; pointer?: string }[];
}

function isExpected(status: number, expected: GeneratedRequest['expected']): boolean {
  if (expected === 'handled') return status < 500;
  return expected === 'refused' ? status >= 400 && status < 500 : expected.includes(status);
}

/** Throws unless a refusal is a problem of the catalogue that names the faulty parameter or the place in the body. */
function assertProblem(request: GeneratedRequest, { status, headers }: HttpResponse, problem?: Problem): void {
  if (status < 400) return;
  const parameter = request.operation.isPortal ? undefined : request.mistake?.parameter;
  const known = problems[problem?.code as keyof typeof problems];
  const isComplete =
    headers['content-type']?.startsWith('application/problem+json') &&
    known?.status === status &&
    problem?.status === status &&
    problem.requestId === headers['x-request-id'];
  if (!isComplete) throw new Error('not a problem of the catalogue');
  if (status === 405 && !headers.allow) throw new Error('405 without Allow');
  const errors = problem?.errors ?? [];
  if (problem?.code === 'invalid-body' || problem?.code === 'invalid-roster') {
    const isPlaced = errors.length > 0 && errors.every(({ pointer }) => pointer !== undefined);
    if (!isPlaced) throw new Error('the problem does not name the place in the body');
  }
  const isNamed = parameter === undefined || errors.some((error) => error.parameter === parameter);
  if (status === 400 && !isNamed) throw new Error(`the problem does not name ${parameter}`);
}

/** Throws a `Finding` unless the response is the required one and is documented. */
export function judge(request: GeneratedRequest, response: HttpResponse): void {
  const { operation, method, expected } = request;
  const mistake = request.mistake?.name;
  const { status, headers, bytes } = response;
  const detail = `${mistake ?? 'valid request'}: expected ${expected}, got ${status} ${bytes.toString().slice(0, 500)}`;
  if (status >= 500) throw new Finding('failed', detail);
  try {
    const body = readJson<Problem>(response);
    assertProblem(request, response, body);
    const isElsewhere = mistake === 'unknown path' || mistake === 'wrong method';
    const path = isElsewhere ? '/unknown' : operation.path.replace(/^\/(v1|portal\/api)/, '');
    const assertDescribed = operation.isPortal ? assertPortalDocumented : assertDocumented;
    assertDescribed(method, path, { status, contentType: headers['content-type'] ?? null, body });
  } catch (error) {
    throw new Finding('undocumented', `${detail}\n${error instanceof Error ? error.message : error}`);
  }
  if (isExpected(status, expected)) return;
  if (mistake === undefined) throw new Finding('refused', detail);
  throw new Finding(status < 400 ? 'accepted' : 'misjudged', detail);
}
