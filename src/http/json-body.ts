import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import { describeSyntaxProblem, emptyBody, findSyntaxProblem } from './json-syntax.ts';

/** The framework refuses these names although the syntax of the body is correct. */
const refusedNames = 'The names `__proto__` and `constructor.prototype` are not accepted: remove them from the body.';

function malformedBody(body: Buffer): ApiError {
  if (body.toString('latin1').trim() === '') return new ApiError('malformed-body', emptyBody);
  const problem = findSyntaxProblem(body);
  return new ApiError('malformed-body', problem ? describeSyntaxProblem(problem, body) : refusedNames);
}

/**
 * Parses JSON bodies as the framework does, but reports where a body is malformed and how to fix it. Refuses bodies
 * that are not UTF-8: decoding them anyway would put U+FFFD into the names of employees.
 */
export function readJsonBodies(app: Pick<FastifyInstance, 'addContentTypeParser' | 'getDefaultJsonParser'>): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (!isUtf8(body)) return done(malformedBody(body));
    parse(request, body.toString(), (error, value) => (error ? done(malformedBody(body)) : done(null, value)));
  });
}
