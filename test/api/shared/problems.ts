import assert from 'node:assert/strict';
import type { Answer } from '../../support/app.ts';

/** Every error has the form of RFC 9457, names its request, and tells nothing of what lies behind the API. */
export function assertProblem(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.bytes.toString());
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  assert.equal(answer.body.status, status);
  assert.equal(answer.body.code, code);
  assert.equal(answer.body.type, `http://localhost:3000/docs/errors#${code}`);
  assert.notEqual(answer.body.title, '');
  assert.notEqual(answer.body.detail, '');
  assert.equal(answer.body.requestId, answer.headers.get('x-request-id'));
  assert.doesNotMatch(answer.bytes.toString(), /select|insert|\bat .*\.[jt]s|postgres|tbk_/i);
}

/** 400 with exactly these parameters at fault, each with the rule it breaks. */
export function assertInvalid(answer: Answer, expected: Record<string, string>): void {
  assertProblem(answer, 400, 'invalid-parameters');
  const errors: { parameter: string; code: string; detail: string }[] = answer.body.errors;
  assert.deepEqual(Object.fromEntries(errors.map(({ parameter, code }) => [parameter, code])), expected);
  for (const { detail } of errors) assert.notEqual(detail, '');
}

/** What two errors have in common if nobody can tell them apart. */
export function withoutRequestId({ status, body }: Answer): unknown {
  const { requestId: _, ...rest } = body;
  return { status, ...rest };
}
