import { checkMapping, type Mapping, type MappingProblem } from '../rules/mapping.ts';

/** Returns the mapping, completed from `defaults`, or everything that is wrong with it, its expressions included. */
export async function checkRules(value: unknown, defaults: Mapping): Promise<Mapping | MappingProblem[]> {
  const mapping = checkMapping(value, defaults);
  if (Array.isArray(mapping) || defaults.requests === undefined) return mapping;
  // Loaded only if needed: the expressions take memory and time to start.
  const { findRequestProblems } = await import('../rules/requests.ts');
  const problems = await findRequestProblems(mapping);
  return problems.length > 0 ? problems : mapping;
}
