import { Type } from 'typebox';
import { refusalCodes } from '../../domain/subscription/refusals.ts';
import { type ProblemCode, problems } from './errors.ts';
import { Enum, Named, Nullable, PlainDate } from './schemas.ts';

export const ProblemSchema = Named(
  'Problem',
  Type.Object(
    {
      type: Type.String({ description: 'URL of the explanation of this problem.' }),
      title: Type.String(),
      status: Type.Integer(),
      detail: Type.String({ description: 'What is wrong with this request.' }),
      code: Type.Unsafe<ProblemCode>({
        type: 'string',
        enum: Object.keys(problems),
        description: 'Stable: branch on it.',
      }),
      requestId: Type.String({ description: 'The same as in `X-Request-Id`; include it when you contact us.' }),
      errors: Type.Optional(
        Type.Array(
          Type.Object({
            parameter: Type.Optional(Type.String({ description: 'Name of the query or path parameter.' })),
            pointer: Type.Optional(Type.String({ description: 'JSON pointer into the body.' })),
            hrId: Type.Optional(Type.String({ description: 'HR id of the roster entry, if known.' })),
            code: Type.String(),
            detail: Type.String(),
          }),
          { maxItems: 100, description: 'All errors, at most 100.' },
        ),
      ),
      errorCount: Type.Optional(
        Type.Integer({ description: 'Total number of errors in a roster, including those not listed.' }),
      ),
      missingPermissions: Type.Optional(
        Type.Array(Type.String(), { description: 'The permissions that the key lacks.' }),
      ),
      reason: Type.Optional(
        Enum(refusalCodes, { description: 'Why a subscription request is not possible. Stable: branch on it.' }),
      ),
      earliestFrom: Type.Optional(
        Nullable(PlainDate('The first month that a subscription request can ask for, if another one is possible.')),
      ),
    },
    { description: 'An error in the form of RFC 9457.' },
  ),
);
