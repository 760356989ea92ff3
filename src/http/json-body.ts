import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import { describeSyntaxProblem, emptyBody, findSyntaxProblem } from './json-syntax.ts';

/** What the framework refuses although its syntax is right has one of these names. */
const refusedNames = 'The names `__proto__` and `constructor.prototype` are not accepted: remove them from the body.';

function malformedBody(body: Buffer): ApiError {
  if (body.toString('latin1').trim() === '') return new ApiError('malformed-body', emptyBody);
  const problem = findSyntaxProblem(body);
  return new ApiError('malformed-body', problem ? describeSyntaxProblem(problem, body) : refusedNames);
}

/**
 * Has JSON bodies parsed as the framework does, but says where one is broken and what to do about it. What is not UTF-8
 * is refused: decoded all the same, it would leave U+FFFD in people's names.
 */
export function readJsonBodies(app: Pick<FastifyInstance, 'addContentTypeParser' | 'getDefaultJsonParser'>): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (!isUtf8(body)) return done(malformedBody(body));
    parse(request, body.toString(), (error, value) => (error ? done(malformedBody(body)) : done(null, value)));
  });
}
