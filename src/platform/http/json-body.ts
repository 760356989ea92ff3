import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ApiError } from './errors.ts';
import { findExceededLimit, jsonLimits } from './json-limits.ts';
import { describeSyntaxProblem, emptyBody, findSyntaxProblem } from './json-syntax.ts';
import { assertPlainBody } from './plain-body.ts';

/** The framework refuses these names although the syntax of the body is correct. */
const refusedNames = 'The names `__proto__` and `constructor.prototype` are not accepted: remove them from the body.';

function malformedBody(body: Buffer): ApiError {
  if (body.toString('latin1').trim() === '') return new ApiError('malformed-body', emptyBody);
  const problem = findSyntaxProblem(body);
  return new ApiError('malformed-body', problem ? describeSyntaxProblem(problem, body) : refusedNames);
}

const exceedingBody = {
  maxDepth: () =>
    new ApiError(
      'malformed-body',
      `The body is nested more than ${jsonLimits.maxDepth} levels deep. Remove levels, or close every bracket.`,
    ),
  maxMembers: () =>
    new ApiError(
      'body-too-large',
      `An object in the body has more than ${jsonLimits.maxMembers} members. Send fewer of them.`,
    ),
  maxValues: () =>
    new ApiError(
      'body-too-large',
      `The body has more than ${jsonLimits.maxValues} values. Send fewer of them at a time.`,
    ),
};

/**
 * Parses JSON bodies as the framework does, but reports where a body is malformed and how to fix it. Refuses bodies
 * that are not UTF-8: decoding them anyway would put U+FFFD into the names of employees. Refuses bodies that would take
 * long to parse and validate before either begins, and compressed ones.
 */
export function readJsonBodies(
  app: Pick<FastifyInstance, 'addContentTypeParser' | 'getDefaultJsonParser'>,
  contentType = 'application/json',
): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(contentType, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    assertPlainBody(request);
    const exceeded = findExceededLimit(body);
    if (exceeded !== undefined) return done(exceedingBody[exceeded]());
    if (!isUtf8(body)) return done(malformedBody(body));
    parse(request, body.toString(), (error, value) => (error ? done(malformedBody(body)) : done(null, value)));
  });
}
