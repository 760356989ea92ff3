import assert from 'node:assert/strict';
import type { TestResponse } from '../app.ts';

/** Throws unless the error has the form of RFC 9457, names its request, and reveals no internals of the service. */
export function assertProblem(response: TestResponse, status: number, code: string): void {
  assert.equal(response.status, status, response.bytes.toString());
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  assert.equal(response.body.status, status);
  assert.equal(response.body.code, code);
  assert.equal(response.body.type, `http://localhost:3000/docs/errors#${code}`);
  assert.notEqual(response.body.title, '');
  assert.notEqual(response.body.detail, '');
  assert.equal(response.body.requestId, response.headers.get('x-request-id'));
  assert.doesNotMatch(response.bytes.toString(), /select|insert|\bat .*\.[jt]s|postgres|tbk_/i);
}

/** Throws unless the response is a 400 that names exactly these parameters, each with the rule that it breaks. */
export function assertInvalid(response: TestResponse, expected: Record<string, string>): void {
  assertProblem(response, 400, 'invalid-parameters');
  const errors: { parameter: string; code: string; detail: string }[] = response.body.errors;
  assert.deepEqual(Object.fromEntries(errors.map(({ parameter, code }) => [parameter, code])), expected);
  for (const { detail } of errors) assert.notEqual(detail, '');
}

/** Returns the parts of an error that must be equal if two errors are to be indistinguishable. */
export function withoutRequestId({ status, body }: TestResponse): unknown {
  const { requestId: _, ...rest } = body;
  return { status, ...rest };
}
