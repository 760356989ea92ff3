import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { IntegrationType } from '../../domain/enums.ts';
import { emailKey } from '../../domain/search.ts';
import { demoCredential } from '../../features/connectors/fake/demo-personio.ts';
import { type FakePerson, startFakePersonio } from '../../features/connectors/fake/fake-personio.ts';
import type { PullDeps } from '../../features/connectors/pull/outcome.ts';
import type { DailyRunDeps } from '../../features/daily-run/run.ts';
import type { Encryption } from '../../platform/crypto/encryption.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Calendar, DemoClock } from './calendar.ts';

export type Place = 'main' | 'branch' | 'south' | 'old';

/** Systems that are connected, so that the service pulls their rosters. The others push with the key. */
const pulledPlaces = ['south', 'old'] as const;
export type PulledPlace = (typeof pulledPlaces)[number];

export const isPulledPlace = (name: string): name is PulledPlace => (pulledPlaces as readonly string[]).includes(name);

/** When rosters arrive: in the evening, after the actions of the day. */
export const rosterTimes: Record<Place, string> = { old: '19:00', main: '19:30', south: '20:00', branch: '20:15' };

/** One integration of each kind that an HR department encounters. Two have never sent a roster. */
export const connections = {
  main: { name: 'Musterwerk Personalexport', type: 'api-integration' },
  old: { name: 'Personio (Altsystem)', type: 'hr-integration' },
  south: { name: 'Personio (Werk Süd)', type: 'hr-integration' },
  branch: { name: 'Nordlicht HR (Niederlassung Kiel)', type: 'hr-integration' },
  planned: { name: 'Personalwolke', type: 'hr-integration' },
  ready: { name: 'Lohnbüro Nord', type: 'api-integration' },
} as const satisfies Record<string, { name: string; type: IntegrationType }>;

export type ConnectionName = keyof typeof connections;

export function connectedOn({ joined, month, yesterday }: Calendar, name: ConnectionName): Day {
  const days: Record<ConnectionName, Day> = {
    main: joined,
    old: joined,
    south: month(-7).subtract({ days: 12 }),
    branch: month(-5).subtract({ days: 12 }),
    planned: yesterday,
    ready: yesterday,
  };
  return days[name];
}

/** The secret of the year. The fake that the demo's credentials connect to later refuses it. */
export const formerSecret = 'replaced';

/** What goes wrong with a pull: the HR system has another secret, or is down. */
export type PullFault = 'refused' | 'down';

/** The HR system that the company's rosters are pulled from: a fake, which is asked as a real one would be. */
export interface DemoHrSystem {
  deps: Pick<PullDeps, 'encryption' | 'origins'>;
  answerWith(people: FakePerson[], fault: PullFault | undefined): void;
  close(): Promise<void>;
}

export async function startDemoHrSystem(encryption: Encryption): Promise<DemoHrSystem> {
  let isDown = false;
  const { account, origin, close } = await startFakePersonio({ clientId: demoCredential }, () =>
    isDown ? { status: 503 } : undefined,
  );
  return {
    deps: { encryption, origins: { personio: origin } },
    answerWith(people, fault) {
      account.people = people;
      account.clientSecret = fault === 'refused' ? demoCredential : formerSecret;
      isDown = fault === 'down';
    },
    close,
  };
}

/** Groups of the roster that have a benefit policy of their own. */
export type Group = 'Auszubildende' | 'Niederlassung Kiel' | 'Werk Süd';

/** The portal user of the demo. All decisions are recorded as theirs. */
export const demoUserId = 'demo';
export const demoUserName = 'Dana Demo';

export interface DemoContext {
  tx: Tx;
  companyId: CompanyId;
  deps: DailyRunDeps & { clock: DemoClock };
  username: string;
  integrationIds: Map<ConnectionName, number>;
  hrSystem: DemoHrSystem;
}

export interface Action {
  on: Day;
  /** HH:MM */
  time: string;
  run(context: DemoContext): Promise<unknown>;
}

export function integrationId({ integrationIds }: DemoContext, name: ConnectionName): number {
  const id = integrationIds.get(name);
  if (id === undefined) throw new Error(`The integration "${name}" of the demo is not connected yet.`);
  return id;
}

export async function findEmployeeId({ tx, companyId }: DemoContext, email: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${ofCompany(companyId, 'e')} and e.email_key = ${emailKey(email)}
      and e.removed_at is null`.execute(tx);
  return rows[0]?.id;
}
