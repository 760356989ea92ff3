import type { Db } from '../../platform/db/database.ts';
import type { Company, Integration } from '../companies/companies.ts';
import type { EarlierRemovals, LeftOut } from './rules/match.ts';

export interface PlanContext {
  db: Db;
  target: Integration;
  company: Company;
  today: Temporal.PlainDate;
  /** Days that the daily run has not processed. A real run processes them first, a dry run projects them. */
  missedDays: readonly Temporal.PlainDate[];
  leftOut?: LeftOut | undefined;
  earlier?: EarlierRemovals | undefined;
}
