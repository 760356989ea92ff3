import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, Reference } from '../../platform/http/schemas.ts';
import { contextOf, userOf } from '../accounts/guard.ts';
import type { Integration } from '../companies/companies.ts';
import type { Routes } from '../context.ts';
import {
  createIntegration,
  getIntegration,
  listIntegrations,
  renameIntegration,
  setIntegration,
} from './change-integration.ts';
import {
  HrIntegrationSchema,
  IntegrationParams,
  IntegrationStatusBody,
  NewIntegrationBody,
  RenameBody,
} from './contract.ts';
import { presentHrIntegration } from './present.ts';

export const targetOf = (request: FastifyRequest, hrIntegrationId: number): Integration => ({
  companyId: userOf(request).companyId,
  hrIntegrationId,
});

const one = { params: IntegrationParams } as const;
const changed = { ...one, access: 'integrations', response: { 200: DataOf(Reference(HrIntegrationSchema)) } } as const;

export const integrationRoutes: Routes = (app, context) => {
  const { db, links } = context;
  app.get(
    '/integrations',
    portalOperation({
      summary: 'List integrations',
      access: 'read',
      response: { 200: DataOf(Type.Array(Reference(HrIntegrationSchema))) },
    }),
    async (request) => {
      const rows = await listIntegrations(db, userOf(request).companyId);
      return { data: rows.map((row) => presentHrIntegration(row, links)) };
    },
  );

  app.post(
    '/integrations',
    portalOperation({
      summary: 'Create an integration',
      access: 'integrations',
      body: NewIntegrationBody,
      response: { 201: DataOf(Reference(HrIntegrationSchema)) },
    }),
    async (request, _reply) => {
      const { name, type } = request.body;
      const row = await createIntegration(contextOf(request, context, 'integrations'), { name: name.trim(), type });
      return { data: presentHrIntegration(row, links) };
    },
  );

  app.get(
    '/integrations/:id',
    portalOperation({
      ...one,
      summary: 'Get an integration',
      access: 'read',
      response: { 200: DataOf(Reference(HrIntegrationSchema)) },
    }),
    async (request) => {
      const { companyId } = userOf(request);
      return { data: presentHrIntegration(await getIntegration(db, companyId, request.params.id), links) };
    },
  );

  app.post(
    '/integrations/:id/status',
    portalOperation({
      ...changed,
      summary: 'Enable or disable an integration',
      body: IntegrationStatusBody,
    }),
    async (request) => {
      const change = { id: request.params.id, status: request.body.status };
      const row = await setIntegration(contextOf(request, context, 'integrations'), change);
      return { data: presentHrIntegration(row, links) };
    },
  );

  app.post(
    '/integrations/:id/name',
    portalOperation({
      ...changed,
      summary: 'Rename an integration',
      body: RenameBody,
    }),
    async (request) => {
      const change = { id: request.params.id, name: request.body.name.trim() };
      const row = await renameIntegration(contextOf(request, context, 'integrations'), change);
      return { data: presentHrIntegration(row, links) };
    },
  );
};
