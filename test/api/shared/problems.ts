import assert from 'node:assert/strict';
import type { Answer } from '../../support/app.ts';

/** Throws unless the error has the form of RFC 9457, names its request, and reveals no internals of the service. */
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

/** Throws unless the response is a 400 that names exactly these parameters, each with the rule that it breaks. */
export function assertInvalid(answer: Answer, expected: Record<string, string>): void {
  assertProblem(answer, 400, 'invalid-parameters');
  const errors: { parameter: string; code: string; detail: string }[] = answer.body.errors;
  assert.deepEqual(Object.fromEntries(errors.map(({ parameter, code }) => [parameter, code])), expected);
  for (const { detail } of errors) assert.notEqual(detail, '');
}

/** Returns the parts of an error that must be equal if two errors are to be indistinguishable. */
export function withoutRequestId({ status, body }: Answer): unknown {
  const { requestId: _, ...rest } = body;
  return { status, ...rest };
}
