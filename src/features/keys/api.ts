import { Type } from 'typebox';
import { environments, permissions } from '../../domain/enums.ts';
import { operation } from '../../platform/http/operation.ts';
import { DataOf, Enum, LinkSchema, Named, Reference } from '../../platform/http/schemas.ts';
import { principalOf } from '../caller.ts';
import type { Routes } from '../context.ts';
import { usernameOf } from './credentials.ts';

const closed = { additionalProperties: false };

export const MeSchema = Named(
  'Me',
  Type.Object(
    {
      username: Type.String({ description: 'The public name of the key.' }),
      keyName: Type.String(),
      permissions: Type.Array(Enum(permissions)),
      company: Type.Object({ id: Type.Integer(), name: Type.String() }, closed),
      environment: Enum(environments),
      resource: Enum(['api-key']),
      _links: Type.Object({ self: Reference(LinkSchema) }, closed),
    },
    closed,
  ),
);

export const meRoutes: Routes = (app, { config, links }) => {
  app.get(
    '/me',
    operation({
      id: 'getMe',
      tag: 'Service',
      summary: 'Get the API key in use',
      description:
        'Returns the key that makes this request: its name, permissions, company and environment. Requires any valid key.',
      permissions: [],
      response: {
        schema: DataOf(Reference(MeSchema)),
        description: 'The key.',
        example: {
          data: {
            username: 'tk_1_4f6c1d2e9a8b7c60',
            keyName: 'Payroll export',
            permissions: ['view-employees', 'view-billing'],
            company: { id: 1, name: 'Example GmbH' },
            environment: 'staging',
            resource: 'api-key',
            _links: { self: { href: 'http://localhost:3000/v1/me', type: 'application/json' } },
          },
        },
      },
    }),
    async function getMeHandler(request) {
      const principal = principalOf(request);
      return {
        data: {
          username: usernameOf(principal),
          keyName: principal.keyName,
          permissions: permissions.filter((permission) => principal.permissions.has(permission)),
          company: { id: principal.companyId, name: principal.company.name },
          environment: config.environment,
          resource: 'api-key' as const,
          _links: { self: links.me },
        },
      };
    },
  );
};
