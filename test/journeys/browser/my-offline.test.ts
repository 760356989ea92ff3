import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextMonth } from '../../support/browser/fixture.ts';
import { monthIn, type Phone, readDevice, textsOf, useMyFixture } from '../../support/browser/my.ts';
import { noBrowser } from '../../support/browser.ts';
import { prepare, standIn } from '../../support/prepare.ts';
import { until } from '../../support/until.ts';

const t = textsOf('en');
const nextNext = nextMonth.add({ months: 1 });
const later = nextMonth.add({ months: 2 });

/** Covers which ticket a device shows without the service: the one of its day, and no other. Each test continues. */
describe('the ticket on the device', { skip: noBrowser }, () => {
  const { fixture, openPhone } = useMyFixture();
  let link = '';
  const made = prepare(async () => {
    const id = await fixture.addEmployee({
      ...{ email: 'offline@example.com', subscription_status: 'scheduled' as const },
      ...{ start_on: nextMonth.toString(), next_ticket_on: nextMonth.toString(), due_on: nextMonth.toString() },
      contract_status: 'accepted' as const,
    });
    await fixture.travelTo(later.subtract({ days: 3 }));
    link = await fixture.linkFor(id);
    return { phone: await openPhone('en') };
  });
  const phone = standIn<Phone>(() => made.phone);
  const page = standIn(() => made.phone.page);
  const ticketOf = (month: Temporal.PlainDate) =>
    page.getByRole('article', { name: t('ticketTitle', { month: monthIn('en', month) }) });

  it('stores that of the next month as soon as nothing can change it', async () => {
    await page.clock.install();
    await page.goto(link);
    await phone.press(t('continue'));
    await ticketOf(nextNext).waitFor();
    const date = later.toLocaleString('en-GB', { dateStyle: 'long' });
    await page.getByText(t('ticketNext', { month: monthIn('en', later), date })).waitFor();
    assert.equal(await ticketOf(later).count(), 0);
    await until('it is stored', async () => (await readDevice(page)).plain !== undefined);
    await until('the page works offline', () => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'));
  });

  it('shows that of the next month from midnight, in a page that stays open without a network', async () => {
    await phone.context.setOffline(true);
    await page.clock.fastForward(3 * 86_400_000);
    await ticketOf(later).waitFor();
    assert.equal(await ticketOf(nextNext).count(), 0);
    await page.reload();
    await ticketOf(later).waitFor();
    phone.record.expectErrors('ERR_INTERNET_DISCONNECTED');
  });

  it('shows none after the last one has expired, also if the clock of the phone is set back', async () => {
    await page.clock.fastForward(40 * 86_400_000);
    await page.getByText(t('noTicketOffline')).waitFor();
    assert.equal(await page.getByRole('article').count(), 0);
    await page.clock.setSystemTime(Date.now());
    await page.reload();
    await page.getByText(t('noTicketOffline')).waitFor();
    assert.equal(await page.getByRole('article').count(), 0);
    phone.record.expectErrors('ERR_INTERNET_DISCONNECTED');
  });

  it('is forgotten when the session has ended elsewhere', async () => {
    await phone.context.setOffline(false);
    await page.clock.setSystemTime(Date.now());
    await page.reload();
    await ticketOf(nextNext).waitFor();
    await fixture.db.deleteFrom('employee_sessions').execute();
    await page.reload();
    await page.getByText(t('enterEnded')).waitFor();
    await until('the device is empty', async () => (await readDevice(page)).plain === undefined);
    assert.equal((await readDevice(page)).extractable, undefined);
  });
});
