import type { EmployeeDetails } from '../../../../../src/features/employees/contract.ts';
import { useIntegrations } from '../../connectors/api.ts';

/** Returns whether a roster contains the employee. */
export const isInRoster = ({ employee }: Pick<EmployeeDetails, 'employee'>) =>
  employee.hrIntergartionLinks.some(({ hrIntegrationId }) => hrIntegrationId !== null);

/** Returns the names of the integrations whose rosters contain the employee. */
export function useSource({ employee }: Pick<EmployeeDetails, 'employee'>): string {
  const integrations = useIntegrations().data;
  const ids = employee.hrIntergartionLinks.map(({ hrIntegrationId }) => hrIntegrationId);
  return (integrations ?? [])
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(', ');
}

/** Returns the absences that users may change: those that they have entered, and all of an employee in no roster. */
export const editableAbsences = (details: EmployeeDetails) =>
  details.absences
    .filter(({ approved, byHand }) => byHand || (approved && !isInRoster(details)))
    .map(({ startDate, endDate }) => ({ startDate, endDate }));
