import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asCompanyId } from '../../../src/platform/db/company-scope.ts';
import { basic, type Credentials, startTestApp, type TestApp } from '../../support/app.ts';
import { commandsIn } from '../../support/commands.ts';
import { makeKey } from '../../support/factories.ts';
import { nextMonth, today, withOperatorCli } from '../../support/operator-cli.ts';
import type { Env } from '../../support/process.ts';
import { productionEnv } from '../../support/production.ts';
import { until } from '../../support/until.ts';

describe('time-travel', () => {
  // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies of any shape.
  type Body = any;

  async function withService(env: Env, work: (app: TestApp) => Promise<void>): Promise<void> {
    const databaseUrl = env.DATABASE_URL ?? '';
    await using app = await startTestApp({ env, databaseUrl, clock: 'environment', worker: true });
    await work(app);
  }

  it('moves a running service: tickets, charges and documents of the days in between', () =>
    withOperatorCli(async ({ db, env, succeed, fail }) => {
      await withService(env, async ({ url }) => {
        const { id: companyId } = await succeed('company create --name Traveller');
        const { id: integrationId } = await succeed(
          `integration create --company ${companyId} --name HR --type api-integration`,
        );
        const key: Credentials = await makeKey(db, asCompanyId(companyId));
        const headers = { authorization: basic(key), 'content-type': 'application/json' };
        const get = async (path: string): Promise<Body> => {
          const response = await fetch(`${url}${path}`, { headers });
          assert.equal(response.status, 200, path);
          return ((await response.json()) as Body).data;
        };
        const anna = { hrId: 'E1', firstName: 'Anna', lastName: 'Muster', email: 'anna@example.com' };
        const roster = { syncId: 'one', employees: [{ ...anna, autoSyncEmployee: true }] };
        const body = JSON.stringify(roster);
        const pushed = await fetch(`${url}/hr-integrations/${integrationId}/sync`, { method: 'POST', headers, body });
        assert.equal(pushed.status, 204);
        const integration = () => get(`/hr-integrations/${integrationId}`);
        await until('the roster is applied', async () => (await integration()).lastSyncStatus === 'succeeded');

        const to = nextMonth.add({ days: 1 });
        const travelled = await succeed(`time-travel --to ${to}`);
        assert.deepEqual([travelled.from, travelled.to], [today.toString(), to.toString()]);
        const counts = ['days', 'moved', 'tickets', 'charges', 'removed', 'erased'];
        assert.deepEqual(Object.keys(travelled), ['from', 'to', ...counts]);

        const employee = async () => (await get('/employees')).data[0];
        await until('the ticket is issued', async () => (await employee()).ticket !== null);
        const { ticket, subscription } = await employee();
        assert.equal(ticket.ticketMonth, nextMonth.toString().slice(0, 7));
        assert.deepEqual(
          [subscription.status, subscription.startAt, subscription.nextTicketAt],
          ['active', nextMonth.toString(), nextMonth.add({ months: 1 }).toString()],
        );
        const charges = (await get(`/billing/items?period=${nextMonth}`)).data;
        assert.deepEqual(charges.map(({ charge }: Body) => charge.type).sort(), ['service-charge', 'ticket-charge']);
        const documents = async (): Promise<Body[]> => (await get('/employee-documents')).data;
        await until('both documents are stored', async () => {
          const shown = await documents();
          return shown.length === 2 && shown.every(({ downloadable }) => downloadable);
        });
        for (const { id } of await documents()) {
          const file = await fetch(`${url}/employee-documents/${id}/download`, { headers });
          assert.equal(file.status, 200);
          assert.match(await file.text(), /^%PDF-/);
        }

        for (const day of [to, nextMonth, today]) {
          const written = to.toLocaleString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
          assert.equal(
            await fail(`time-travel --to ${day}`),
            `--to must be later than today, ${written}, because time moves forward only.\n`,
          );
        }
        const again = await succeed(`time-travel --to ${to.add({ months: 1 })}`);
        assert.equal(again.from, to.toString());
        const month = async () => (await employee()).ticket?.ticketMonth;
        await until('the next ticket is issued', async () => (await month()) === again.to.slice(0, 7));
      });
    }));

  it('is refused in production, and an invalid day everywhere', () =>
    withOperatorCli(async ({ env, fail }) => {
      const production = commandsIn({ ...env, ...productionEnv });
      assert.equal(
        await production.fail('time-travel', '--to', `${nextMonth}`),
        'Time travel is possible on staging only: this environment is production.\n',
      );
      assert.equal(await fail('time-travel --to tomorrow'), '--to must be a date YYYY-MM-DD, but is "tomorrow".\n');
      assert.equal(
        await fail('time-travel'),
        '--to is missing. Run "npm run -s cli -- time-travel --help" to see what it accepts.\n',
      );
    }));
});
