import { Type } from 'typebox';
import type { SessionMethod } from '../../domain/enums.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { notFound } from '../../platform/http/errors.ts';
import { NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, Reference, withoutNul } from '../../platform/http/schemas.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import type { Routes } from '../context.ts';
import { SessionSchema } from './contract.ts';
import { actorOf, sessionOf, userOf } from './guard.ts';
import { describeDevice } from './rules/device.ts';

/** Lists and ends the sessions of the signed-in user. */
export const sessionRoutes: Routes = (app, { db, clock }) => {
  app.get(
    '/auth/sessions',
    portalOperation({
      id: 'listSessions',
      summary: 'List your sessions',
      description: 'Most recently used first.',
      access: 'read',
      response: { 200: DataOf(Type.Array(Reference(SessionSchema))) },
    }),
    async (request) => {
      const current = sessionOf(request).id;
      const rows = await db
        .selectFrom('portal_sessions as s')
        .select(['s.id', 's.ip_address', 's.user_agent', 's.created_at', 's.updated_at', 's.last_used_at', 's.method'])
        .where('s.user_id', '=', userOf(request).id)
        .where((eb) => eb('s.expires_at', '>', new Date().toISOString()))
        .execute();
      const sessions = rows.map((row) => ({
        id: row.id,
        device: describeDevice(row.user_agent),
        address: row.ip_address || null,
        signedInAt: presentTimestamp(row.created_at),
        lastUsedAt: presentTimestamp(row.last_used_at ?? row.updated_at),
        method: row.method as SessionMethod | null,
        isCurrent: row.id === current,
      }));
      return { data: sessions.toSorted((a, b) => b.lastUsedAt.localeCompare(a.lastUsedAt)) };
    },
  );

  app.post(
    '/auth/sessions/:sessionId/end',
    portalOperation({
      id: 'endSession',
      summary: 'End one of your sessions',
      anySession: true,
      access: 'read',
      params: Type.Object({ sessionId: Type.String({ minLength: 1, maxLength: 100, ...withoutNul }) }),
      response: { 204: NoContent },
      problems: ['not-found'],
    }),
    async (request, reply) => {
      const { id: userId, companyId } = userOf(request);
      await writeCompany(db, companyId, async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('portal_sessions')
          .where('id', '=', request.params.sessionId)
          .where('user_id', '=', userId)
          .executeTakeFirst();
        if (numDeletedRows === 0n) throw notFound('session');
        const by = { actor: actorOf(request), at: clock.now() };
        await insertAudit(tx, companyId, { action: 'session.end', target: userId, detail: { sessions: 1 }, ...by });
      });
      return reply.code(204).send();
    },
  );
};
