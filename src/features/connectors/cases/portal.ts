import { createHash } from 'node:crypto';
import { FileOf, NoContent } from '../../../platform/http/portal/operation.ts';
import { sendFile } from '../../../platform/http/send-file.ts';
import { insertAudit } from '../../activity/record.ts';
import { IntegrationParams } from '../../integrations/contract.ts';
import { portalRoutes } from '../../portal-route.ts';
import { deleteCase, listCases, readCaseFile, requestCase } from './cases.ts';
import { CaseListSchema, CaseParams, CaseSchema } from './contract.ts';

export const caseRoutes = portalRoutes((route) => {
  const access = 'integrations' as const;

  route('GET /integrations/:id/cases', {
    summary: 'List the cases of an integration',
    access: 'read',
    params: IntegrationParams,
    data: CaseListSchema,
    handle: ({ params, ...call }) => listCases(call, params),
  });

  route('POST /integrations/:id/cases', {
    summary: 'Save the next run as a case',
    description: 'Requests and responses with pseudonyms. A case that still waits for a run is returned instead.',
    access,
    params: IntegrationParams,
    status: 201,
    data: CaseSchema,
    problems: ['sync-not-possible'],
    handle: ({ params, ...call }) => requestCase(call, params),
  });

  route('GET /integrations/:id/cases/:caseId', {
    summary: 'Download a case',
    access,
    params: CaseParams,
    isConditional: true,
    returns: FileOf('application/json'),
    problems: ['not-found', 'sync-not-possible'],
    async handle({ request, reply, params, ...call }) {
      const { companyId, by, write } = call;
      const file = await readCaseFile(call, params);
      const target = String(params.id);
      return sendFile(request, reply, {
        sha256: createHash('sha256').update(file).digest('hex'),
        sizeBytes: file.length,
        contentType: 'application/json',
        disposition: `attachment; filename="case-${params.caseId}.json"`,
        open: async () => file,
        onDownload: () =>
          write((tx) => insertAudit(tx, companyId, { action: 'integration.download-case', target, ...by })),
      });
    },
  });

  route('DELETE /integrations/:id/cases/:caseId', {
    summary: 'Erase a case',
    access,
    params: CaseParams,
    returns: NoContent,
    async handle({ params, ...call }) {
      await deleteCase(call, params);
      return undefined;
    },
  });
});
