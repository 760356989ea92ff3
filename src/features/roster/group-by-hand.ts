import type { Actor } from '../../domain/actor.ts';
import { chunksOf } from '../../domain/chunks.ts';
import { rosterFields } from '../../domain/employee.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { insertAudits } from '../activity/record.ts';
import { getCompany } from '../companies/companies.ts';
import { lockAndCatchUp } from '../daily-run/run.ts';
import type { GroupBody, GroupPreview, PreviewGroupBody } from '../employees/contract.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { selectEmployees } from '../employees/find-employee.ts';
import { loadEmployees } from '../employees/load.ts';
import { type PlannedEmployee, updateEmployees, writeHistoryAndDocuments } from '../employees/write.ts';
import { type ApplyDeps, enteredChanges, type HandDeps, listInRoster, type Situation } from './by-hand.ts';
import { planByHand } from './rules/by-hand.ts';

const employeesAtOnce = 1_000;

/** Plans the group of the selected employees, some at a time. Who has one in a roster keeps it. */
async function* planGroups(
  tx: Tx,
  { company, today }: Situation,
  { group: given, ...selection }: PreviewGroupBody,
): AsyncGenerator<{ planned: PlannedEmployee[]; preview: GroupPreview }> {
  const group = given?.trim() || null;
  for (const ids of chunksOf(await selectEmployees(tx, company.id, selection), employeesAtOnce)) {
    const inRoster = await listInRoster(tx, company.id, ids);
    const known = [...(await loadEmployees(tx, company.id, ids, today))].filter(([, employee]) => !employee.isRemoved);
    const others = known.filter(([, { profile }]) => profile.group !== group);
    const free = others.filter(([id, employee]) => !rosterFields(employee, inRoster.has(id)).includes('group'));
    const planned = free.map(([id, employee]) => {
      const isInRoster = inRoster.has(id);
      return { id, plan: planByHand(employee, { group }, { today, isInRoster }, company) };
    });
    const [unchanged, ofRoster] = [known.length - others.length, others.length - free.length];
    yield { planned, preview: { changed: planned.length, unchanged, ofRoster } };
  }
}

const nobody: GroupPreview = { changed: 0, unchanged: 0, ofRoster: 0 };

const add = (one: GroupPreview, other: GroupPreview): GroupPreview => ({
  changed: one.changed + other.changed,
  unchanged: one.unchanged + other.unchanged,
  ofRoster: one.ofRoster + other.ofRoster,
});

/** Returns for how many employees a group can be entered. Writes nothing. */
export const previewGroup = ({ db, clock, companyId }: HandDeps, body: PreviewGroupBody): Promise<GroupPreview> =>
  inSnapshot(db, async (tx) => {
    const company = await getCompany(tx, companyId);
    const today = todayIn(clock, company.timeZone);
    let total = nobody;
    for await (const { preview } of planGroups(tx, { company, today }, body)) total = add(total, preview);
    return total;
  });

/** Enters a group for all selected employees, or clears it. Throws if it concerns more or fewer than `confirm`. */
export const setGroup = (
  { db, companyId, ...deps }: ApplyDeps,
  { confirm, ...wanted }: GroupBody,
  actor: Actor,
): Promise<GroupPreview> =>
  writeCompany(db, companyId, async (tx) => {
    const situation = await lockAndCatchUp(tx, deps, companyId);
    const { company } = situation;
    const at = deps.clock.now();
    const context = { actor, syncKey: null, hrIntegrationId: null, now: at, removedAt: at };
    let [total, documents] = [nobody, 0];
    for await (const { planned, preview } of planGroups(tx, situation, wanted)) {
      total = add(total, preview);
      if (planned.length === 0) continue;
      await updateEmployees(tx, companyId, planned, context);
      documents += await writeHistoryAndDocuments(tx, company, planned, context);
      const audits = planned.map(({ id, plan }) => ({
        ...{ actor, at, action: 'employee.change', target: String(id) },
        detail: { changes: enteredChanges(plan) },
      }));
      await insertAudits(tx, companyId, audits);
    }
    if (total.changed !== confirm) {
      const detail = `It applies to ${total.changed} employees now, not to ${confirm}. Look at the preview again.`;
      throw new ApiError('confirmation-mismatch', detail);
    }
    if (documents > 0) await deps.queue.enqueueDocuments(tx, companyId, null);
    await refreshEmployeeCounts(tx, companyId);
    return total;
  });
