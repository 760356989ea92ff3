/** The steps of a month, in the order in which they are taken. */
export const stepNames = ['roster', 'charges', 'payroll', 'invoice'] as const;
type StepName = (typeof stepNames)[number];

/**
 * `todo`: somebody can do something now. `blocked`: something is missing first. `waiting`: it follows by itself, or the
 * month has not come that far.
 */
export const stepStates = ['done', 'todo', 'blocked', 'waiting'] as const;
type StepState = (typeof stepStates)[number];

/** What the state of a month depends on. */
export interface MonthFacts {
  /** Whether a later month has begun. Its rosters cannot be today's any more. */
  isOver: boolean;
  /** How many integrations need somebody: overdue, failing, or with removals to decide. */
  rosterIssues: number;
  /** What the month costs, or null if it has not been billed. */
  grossCents: number | null;
  /** What no payroll export contains yet, and what prevents the next one. */
  payroll: { waitingLines: number; problems: number; missingSettings: number };
  /** The exports of the month that count: voided ones do not. */
  exports: readonly { isHandedOver: boolean }[];
  invoices: readonly { isDownloadable: boolean }[];
  /** How many of the data are missing that an invoice needs. */
  missingForInvoice: number;
}

function statePayroll({ grossCents, payroll, exports }: MonthFacts): StepState {
  const { waitingLines, problems, missingSettings } = payroll;
  if (waitingLines + problems > 0) return problems + missingSettings > 0 ? 'blocked' : 'todo';
  if (exports.some(({ isHandedOver }) => !isHandedOver)) return 'todo';
  return exports.length === 0 && grossCents === null ? 'waiting' : 'done';
}

function stateInvoice({ grossCents, invoices, missingForInvoice }: MonthFacts): StepState {
  if (invoices.length > 0) return invoices.every(({ isDownloadable }) => isDownloadable) ? 'done' : 'waiting';
  if (grossCents === null) return 'waiting';
  if (grossCents === 0) return 'done';
  return missingForInvoice > 0 ? 'blocked' : 'waiting';
}

export interface MonthSteps {
  steps: Record<StepName, StepState>;
  /** The first step that somebody has to take. Null: there is none. */
  next: StepName | null;
  isDone: boolean;
}

/** Returns how far a month is. */
export function composeSteps(facts: MonthFacts): MonthSteps {
  const steps: MonthSteps['steps'] = {
    roster: facts.isOver || facts.rosterIssues === 0 ? 'done' : 'todo',
    charges: facts.grossCents === null ? 'waiting' : 'done',
    payroll: statePayroll(facts),
    invoice: stateInvoice(facts),
  };
  return {
    steps,
    next: stepNames.find((name) => steps[name] === 'todo' || steps[name] === 'blocked') ?? null,
    isDone: stepNames.every((name) => steps[name] === 'done'),
  };
}
