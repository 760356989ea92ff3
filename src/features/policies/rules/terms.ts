import { groupKey, type Terms } from '../../../domain/policies.ts';

/** Why terms contradict each other. */
type TermsProblem = 'amounts' | 'bounds' | 'bounds-order';

/** Returns what is wrong with terms, or undefined. */
export function findTermsProblem(terms: Omit<Terms, 'waitingMonths' | 'taxTreatment'>): TermsProblem | undefined {
  const { planType, employeeCents, employerCents, employerPercent, minimumCents, maximumCents } = terms;
  const amounts = [employeeCents, employerCents, employerPercent].filter((value) => value !== null).length;
  if (amounts !== (planType === 'split-pay-plan' ? 1 : 0)) return 'amounts';
  if (employerPercent === null && (minimumCents ?? maximumCents) !== null) return 'bounds';
  if (minimumCents !== null && maximumCents !== null && maximumCents < minimumCents) return 'bounds-order';
  return undefined;
}

/** Returns groups as they are stored: trimmed, each once. */
export function normalizeGroups(groups: readonly string[]): string[] {
  const named = groups.map((group) => group.trim()).filter((group) => group !== '');
  return [...new Map(named.map((group) => [groupKey(group), group])).values()];
}
