import type { Random } from '../../src/demo/random.ts';
import { cookiesOf, type TestUser } from '../../test/support/portal.ts';
import { jsonOf, type Question, type Tally } from './asking.ts';

/** A user of the portal's pages. */
export class Visitor {
  readonly #tally: Tally;
  readonly #origin: string;
  readonly #person: TestUser;
  #cookie = '';

  constructor(tally: Tally, origin: string, person: TestUser) {
    this.#tally = tally;
    this.#origin = origin;
    this.#person = person;
  }

  /** Returns the same browser with the same session, connected to another process. */
  at(origin: string): Visitor {
    const visitor = new Visitor(this.#tally, origin, this.#person);
    visitor.#cookie = this.#cookie;
    return visitor;
  }

  #ask(path: string, question: Question = {}) {
    const headers = { origin: this.#origin, ...(this.#cookie ? { cookie: this.#cookie } : {}) };
    return this.#tally.ask(`${this.#origin}/portal/api${path}`, { headers, ...question });
  }

  async signIn(): Promise<void> {
    const { email, password } = this.#person;
    const answer = await this.#ask('/auth/sign-in/email', { method: 'POST', body: { email, password }, status: 204 });
    this.#cookie = cookiesOf(answer);
  }

  async signOut(): Promise<void> {
    await this.#ask('/auth/sign-out', { method: 'POST', body: {}, status: 204 });
    await this.#ask('/me', { status: 401 });
    this.#cookie = '';
  }

  async get<T>(path: string): Promise<T> {
    return jsonOf<T>(await this.#ask(path));
  }

  async today(): Promise<Temporal.PlainDate> {
    const { data } = await this.get<{ data: { today: string } }>('/me');
    return Temporal.PlainDate.from(data.today);
  }

  /** Moves the whole environment, day by day. */
  async travelTo(day: Temporal.PlainDate): Promise<void> {
    const { data } = await this.get<{ data: { companies: unknown[] } }>('/time-travel');
    const body = { to: day.toString(), confirm: data.companies.length };
    await this.#ask('/time-travel', { method: 'POST', body });
  }

  async readPayroll(period: string): Promise<void> {
    await this.get(`/billing/${period}/payroll`);
    await this.#ask(`/billing/${period}/payroll.csv`);
  }
}

interface List<T> {
  data: { data: T[] };
}

/** Signs in, visits the pages as users do, and signs out. */
export async function visitPortal(visitor: Visitor, integrationId: number, period: string, random: Random) {
  await visitor.signIn();
  for (const path of ['/me', '/overview', '/keys', '/users', '/activity', '/integrations', '/billing']) {
    await visitor.get(path);
  }
  const { data: employees } = await visitor.get<List<{ id: number }>>(`/employees?page=${random.int(1, 3)}&perPage=20`);
  if (employees.data.length > 0) await visitor.get(`/employees/${random.pick(employees.data).id}`);
  const { data: syncs } = await visitor.get<List<{ syncId: string }>>(`/integrations/${integrationId}/syncs`);
  if (syncs.data.length > 0) {
    await visitor.get(`/integrations/${integrationId}/syncs/${random.pick(syncs.data).syncId}/records`);
  }
  await visitor.get(`/billing/${period}/items?perPage=20`);
  await visitor.readPayroll(period);
  await visitor.signOut();
}
