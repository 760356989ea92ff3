import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { notFound } from '../../platform/http/errors.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import { LogoSchema } from '../companies/contract.ts';
import { findLogo } from '../companies/logo.ts';
import { myRoutes } from '../my-route.ts';
import { DeviceParams, DeviceSchema, EmployeeSessionSchema, EmploymentBody } from './contract.ts';
import { type Employment, listEmployments } from './employments.ts';
import { type Access, endSession } from './start-session.ts';
import { deleteSessions, listSessions } from './store.ts';

/** Returns the employment that is open. Only for handlers that run after the guard. */
function currentOf({ employment }: FastifyRequest): Employment {
  if (employment === undefined) throw new Error('This route is public, so it has no employment.');
  return employment;
}

const actorOf = (employeeId: number) => ({ type: 'employee', name: String(employeeId) }) as const;

/** Shows employees their session, and ends it. */
export const sessionRoutes = myRoutes<Access>((route, context) => {
  const { config, db, clock, cookies } = context;

  const employmentsOf = (request: FastifyRequest) =>
    listEmployments(context, cookies.read(request), currentOf(request));

  /** Returns those of the employments that are left, the one of this company first. */
  const inOrder = (companyIds: readonly CompanyId[], current: CompanyId) => [
    current,
    ...companyIds.filter((companyId) => companyId !== current),
  ];

  route('GET /session', {
    summary: 'Get who is signed in',
    access: 'employee',
    data: EmployeeSessionSchema,
    async handle({ request, reply, companyId, employee }) {
      const current = currentOf(request);
      const { firstName, lastName, email, companyName: name, locale, currency, timeZone, hasLogo } = current;
      const employments = await employmentsOf(request);
      // Prolongs the cookie. The session itself lasts as long as it is used.
      const companyIds = inOrder(
        employments.map((one) => one.companyId),
        companyId,
      );
      cookies.set(reply, { companyIds, secret: current.secret });
      return {
        employee: { firstName, lastName, email },
        company: { id: companyId, name, locale, currency, timeZone, hasLogo },
        language: employee.language,
        environment: config.environment,
        employments: employments
          .toSorted((a, b) => a.companyName.localeCompare(b.companyName) || a.companyId - b.companyId)
          .map((one) => ({ id: one.companyId, companyName: one.companyName, isCurrent: one === current })),
      };
    },
  });

  route('GET /session/logo', {
    summary: 'Get the logo of my employer',
    access: 'employee',
    data: LogoSchema,
    handle: async ({ companyId }) => ({ content: (await findLogo(db, companyId))?.toString('base64') ?? null }),
  });

  route('POST /session/employment', {
    summary: 'Continue with another employment of this device',
    access: 'employee',
    body: EmploymentBody,
    problems: ['not-found'],
    async handle({ request, reply, body }) {
      const employments = await employmentsOf(request);
      const chosen = employments.find(({ companyId }) => companyId === body.id);
      if (chosen === undefined) throw notFound('employment on this device');
      const { companyId, employeeId, secret } = chosen;
      await writeCompany(db, companyId, (tx) => {
        const actor = actorOf(employeeId);
        return insertAudit(tx, companyId, { action: 'employee.switch', target: actor.name, actor, at: clock.now() });
      });
      cookies.set(reply, {
        companyIds: inOrder(
          employments.map((one) => one.companyId),
          companyId,
        ),
        secret,
      });
    },
  });

  route('POST /sign-out', {
    summary: 'Sign out on this device',
    access: 'public',
    async handle({ request, reply }) {
      const token = cookies.read(request);
      for (const companyId of token?.companyIds ?? [])
        await endSession(db, companyId, { secret: token?.secret ?? '', at: clock.now() });
      cookies.clear(reply);
    },
  });

  route('POST /sign-out-everywhere', {
    summary: 'Sign out on every device',
    description: 'For all employments that this device may open.',
    access: 'employee',
    async handle({ request, reply }) {
      for (const { companyId, employeeId } of await employmentsOf(request)) {
        await writeCompany(db, companyId, async (tx) => {
          const sessions = await deleteSessions(tx, companyId, [employeeId]);
          const entry = { action: 'employee.sign-out-everywhere', detail: { sessions }, at: clock.now() };
          const actor = actorOf(employeeId);
          if (sessions > 0) await insertAudit(tx, companyId, { ...entry, target: actor.name, actor });
        });
      }
      cookies.clear(reply);
    },
  });

  route('GET /sessions', {
    summary: 'List the devices that are signed in',
    description: 'For all employments that this device may open.',
    access: 'employee',
    data: Type.Array(DeviceSchema),
    async handle({ request, employee }) {
      const employments = await employmentsOf(request);
      const rows = await Promise.all(
        employments.map(({ companyId, employeeId }) => listSessions(db, companyId, employeeId)),
      );
      // A device that holds several employments has one session, with a row in each company.
      const devices = [...Map.groupBy(rows.flat(), ({ id }) => id).values()].map((ofDevice) => {
        const [row] = ofDevice.toSorted((a, b) => b.lastUsedAt.localeCompare(a.lastUsedAt));
        return row as (typeof ofDevice)[number];
      });
      return devices
        .toSorted((a, b) => b.lastUsedAt.localeCompare(a.lastUsedAt))
        .map(({ id, device, method, createdAt, lastUsedAt }) => ({
          ...{ id, device, method },
          signedInAt: presentTimestamp(createdAt),
          lastUsedAt: presentTimestamp(lastUsedAt),
          isCurrent: id === employee.sessionId,
        }));
    },
  });

  route('DELETE /sessions/:id', {
    summary: 'Sign out on one device',
    description: 'For all employments that this device may open.',
    access: 'employee',
    params: DeviceParams,
    problems: ['not-found'],
    async handle({ request, reply, params: { id }, employee }) {
      let ended = 0;
      for (const { companyId, employeeId } of await employmentsOf(request)) {
        ended += await writeCompany(db, companyId, async (tx) => {
          const sessions = await deleteSessions(tx, companyId, [employeeId], id);
          const actor = actorOf(employeeId);
          const entry = { action: 'employee.end-session', detail: { sessions }, at: clock.now() };
          if (sessions > 0) await insertAudit(tx, companyId, { ...entry, target: actor.name, actor });
          return sessions;
        });
      }
      if (ended === 0) throw notFound('session');
      if (id === employee.sessionId) cookies.clear(reply);
    },
  });
});
