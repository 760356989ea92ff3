import type { Actor } from '../../../domain/actor.ts';
import { chunksOf } from '../../../domain/chunks.ts';
import type { Message } from '../../../domain/messages/message.ts';
import type { Consent } from '../../../domain/subscription/subscription.ts';
import { type Clock, todayIn } from '../../../platform/clock/clock.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import { loadEffectPrices } from '../../billing/prices.ts';
import { createEffectSum } from '../../billing/rules/effects.ts';
import { getCompany } from '../../companies/companies.ts';
import { selectEmployees } from '../../employees/find-employee.ts';
import { planRequests } from '../request.ts';
import { type BatchPreview, maxNamed, type PreviewBatchBody, type Refusals } from './contract.ts';
import { findNames } from './store.ts';

const employeesAtOnce = 1_000;

type Refusal = Refusals[number];
type Named = BatchPreview['named'];

export interface Wanted extends Omit<PreviewBatchBody, 'consent'> {
  consent?: Consent | undefined;
}

const dayOf = (text: string | undefined) => (text === undefined ? undefined : Temporal.PlainDate.from(text));

/** Counts each reason once, with those whom it concerns first. */
function groupRefusals(refused: readonly { employeeId: number; message: Message }[]) {
  const groups = new Map<string, { message: Message; ids: number[]; employees: number }>();
  for (const { employeeId, message } of refused) {
    const key = JSON.stringify(message);
    const group = groups.getOrInsertComputed(key, () => ({ message, ids: [], employees: 0 }));
    group.employees += 1;
    if (group.ids.length < maxNamed) group.ids.push(employeeId);
  }
  return [...groups.values()].toSorted((a, b) => b.employees - a.employees);
}

/** Plans the same request about each selected employee. Writes nothing. Returns also to whom it applies. */
export async function planBatch(
  tx: Db,
  { clock }: { clock: Clock },
  companyId: CompanyId,
  { actor, wanted }: { actor: Actor; wanted: Wanted },
): Promise<{ preview: BatchPreview; applicable: number[] }> {
  const { action, consent } = wanted;
  const request = { action, from: dayOf(wanted.from), until: dayOf(wanted.until), consent };
  const ids = await selectEmployees(tx, companyId, wanted);
  const today = todayIn(clock, (await getCompany(tx, companyId)).timeZone);
  const sum = createEffectSum(await loadEffectPrices(tx, companyId, { today }));
  const applicable: number[] = [];
  const refused: { employeeId: number; message: Message }[] = [];
  const months = new Map<string, number>();
  let [unchanged, needConsent] = [0, 0];
  for (const some of chunksOf(ids, employeesAtOnce)) {
    const requests = some.map((employeeId) => ({ employeeId, ...request }));
    const outcomes = await planRequests(tx, { clock }, companyId, { requests, actor });
    for (const [index, outcome] of outcomes.entries()) {
      const employeeId = some[index] ?? 0;
      if (outcome.status === 'refused') {
        refused.push({ employeeId, message: outcome.message });
        if (outcome.code === 'consent-required') needConsent += 1;
      } else if (outcome.status === 'applied' && outcome.plan.subscriptionChanges.length === 0) unchanged += 1;
      else if (outcome.status === 'applied') {
        applicable.push(employeeId);
        sum.add([outcome]);
        const month = outcome.from.toString();
        months.set(month, (months.get(month) ?? 0) + 1);
      }
    }
  }
  const groups = groupRefusals(refused);
  const names = await findNames(tx, companyId, [...applicable.slice(0, maxNamed), ...groups.flatMap((one) => one.ids)]);
  const nameAll = (some: readonly number[]): Named =>
    some.map((employeeId) => ({ employeeId, name: names.get(employeeId) ?? '' }));
  const effects = sum.total();
  const employeesCents = sum.employeesCents();
  return {
    applicable,
    preview: {
      ...{ employees: ids.length, applicable: applicable.length, unchanged, needConsent, effects },
      monthly: { companyCents: effects.monthlyCents - employeesCents, employeesCents },
      from: [...months].toSorted().map(([month, employees]) => ({ month, employees })),
      named: nameAll(applicable.slice(0, maxNamed)),
      refusals: groups.map(
        ({ message, employees, ids: some }): Refusal => ({ message, employees, named: nameAll(some) }),
      ),
    },
  };
}
