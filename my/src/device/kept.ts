import type { EmployeeSession as Session } from '../../../src/features/employee-access/contract.ts';
import type { MyTicket } from '../../../src/features/tickets/my-contract.ts';
import type { Home } from '../../../src/my/contract.ts';
import { type DeviceClock, measureAhead, nowOf } from './clock.ts';

/** The tickets of one employment, as they were last received. */
export interface KeptEmployment {
  id: number;
  companyName: string;
  timeZone: string;
  /** Those of this month and the next. */
  tickets: readonly MyTicket[];
  /** When they were received, on the service's clock. */
  receivedAt: number;
}

/** What this device shows without a network. */
export interface Kept {
  currentId: number;
  employments: readonly KeptEmployment[];
  clock: DeviceClock;
}

interface Received {
  session: Session;
  home: Home;
  /** When the service sent it. */
  sentAt: number;
}

const currentOf = ({ employments }: Session) => employments.find(({ isCurrent }) => isCurrent)?.id ?? 0;

/** Returns what to store after a response. The tickets of other employments stay as long as they are employments. */
export function updateKept(kept: Kept | undefined, { session, home, sentAt }: Received): Kept {
  const { company, employments } = session;
  const currentId = currentOf(session);
  const ahead = measureAhead(sentAt, home.today, { timeZone: company.timeZone, environment: session.environment });
  const clock = { ahead, seen: Date.now() + ahead };
  const tickets = [home.ticket, home.nextTicket].filter((ticket) => ticket !== null);
  const current = {
    id: currentId,
    companyName: company.name,
    timeZone: company.timeZone,
    tickets,
    receivedAt: nowOf(clock),
  };
  const others = (kept?.employments ?? []).filter(
    ({ id }) => id !== currentId && employments.some((one) => one.id === id),
  );
  return { currentId, employments: [...others, current].sort((a, b) => a.id - b.id), clock };
}

/** Returns the ticket that is valid on a day, and never another one. */
export const findValid = (tickets: readonly MyTicket[], today: string): MyTicket | undefined =>
  tickets.find(({ validFrom, validUntil }) => validFrom <= today && today <= validUntil);

/** Returns the ticket that becomes valid next. */
export const findNext = (tickets: readonly MyTicket[], today: string): MyTicket | undefined =>
  tickets.find(({ validFrom }) => validFrom > today);
