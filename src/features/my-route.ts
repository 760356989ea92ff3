import type { Employee } from './caller.ts';
import { contextOfEmployee, employeeOf } from './caller.ts';
import type { CompanyContext } from './context.ts';
import { createPageRoutes } from './page-route.ts';

/** What handlers receive unless the route is public. It is the context of the use cases that the handler calls. */
export interface EmployeeCall extends CompanyContext {
  employee: Employee;
}

/**
 * Defines routes of the employee's page. Their addresses are relative to /my/api. `employee` names the only employee whose
 * records a handler may read or change. Their session must still exist when `write` begins.
 */
export const myRoutes = createPageRoutes<'public' | 'employee', EmployeeCall>((request, context) => ({
  employee: employeeOf(request),
  ...contextOfEmployee(request, context),
}));
