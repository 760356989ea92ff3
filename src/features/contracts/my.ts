import { FileOf } from '../../platform/http/portal/operation.ts';
import { myRoutes } from '../my-route.ts';
import { type AgreementDeps, decideAgreement, openAgreement } from './my-agreement.ts';
import { AgreementDecisionBody, MyAgreementSchema } from './my-contract.ts';

/** Lets employees read and decide about their own agreement, without a link. */
export const myAgreementRoutes = myRoutes<AgreementDeps>((route, deps) => {
  route('GET /agreement', {
    summary: 'Get my agreement',
    description: 'The one to decide about, the one that joining accepts, or the one that was decided about here.',
    access: 'employee',
    data: MyAgreementSchema,
    problems: ['not-found'],
    handle: async ({ employee }) => (await openAgreement(deps, employee)).agreement,
  });

  route('GET /agreement/file', {
    summary: 'Read my agreement',
    access: 'employee',
    returns: FileOf('application/pdf'),
    problems: ['not-found'],
    async handle({ request, reply, employee }) {
      const { sizeBytes, read } = await openAgreement(deps, employee);
      const stream = await read(request.log);
      reply.headers({
        'content-type': 'application/pdf',
        'content-length': sizeBytes,
        'content-disposition': 'inline; filename="agreement.pdf"',
      });
      return stream;
    },
  });

  route('POST /agreement', {
    summary: 'Accept or reject my agreement',
    description: 'The same decision again has no further effect.',
    access: 'employee',
    body: AgreementDecisionBody,
    data: MyAgreementSchema,
    problems: ['not-found', 'confirmation-mismatch', 'decision-refused'],
    async handle({ employee, body, ...context }) {
      await decideAgreement(context, deps, { employeeId: employee.employeeId, ...body });
      return (await openAgreement(deps, employee)).agreement;
    },
  });
});
