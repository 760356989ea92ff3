import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { usePage } from '../../support/browser/fixture.ts';
import { inspect } from '../../support/browser/inspect.ts';
import { branchRoster } from '../../support/browser/rosters.ts';
import { settled, signIn } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { prepare } from '../../support/prepare.ts';
import { startSmtpServer } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';

const about = 'Removals wait for approval';

/** Each test continues where the previous one ended. */
describe('notices in a browser', { skip: noBrowser }, () => {
  const smtp = prepare(
    () => startSmtpServer(),
    ({ stop }) => stop(),
  );
  const { fixture, context, page, actions } = usePage({ env: () => smtp.env });

  const notice = (name: string) => page.getByRole('switch', { name });

  it('are offered for what the user can act on, and switched off one by one', async () => {
    await signIn(page, fixture.origin, fixture.users.hr, '/account');
    await page.getByText(`We write to ${fixture.users.hr.email} when one of these happens.`).waitFor();
    assert.equal(await notice('A webhook endpoint was disabled').count(), 0, 'HR does not manage webhooks');
    assert.equal(await notice(about).isChecked(), true);
    const saved = page.waitForResponse(
      (response) => response.url().endsWith('/me/notices') && response.status() === 204,
    );
    await notice(about).click();
    await saved;
    await page.reload();
    await settled(page);
    await notice(about).waitFor();
    assert.equal(await notice(about).isChecked(), false);
    assert.equal(await notice('A sync failed').isChecked(), true);
    await inspect(page, 'the account with a mail server');
  });

  it('stay switched on for other users, who get the mail', async () => {
    await context.clearCookies();
    await signIn(page, fixture.origin, fixture.users.admin, '/account');
    await notice(about).waitFor();
    assert.equal(await notice(about).isChecked(), true);
    await actions.createIntegration('Branch');
    await actions.dialog().getByRole('link', { name: 'Open integration' }).click();
    await actions.previewRoster(branchRoster(120));
    await actions.applyRoster('Succeeded');
    await page.getByRole('link', { name: 'Branch', exact: true }).click();
    await actions.previewRoster(branchRoster(60));
    await actions.applyRoster('Waiting for approval');
    const { admin, hr } = fixture.users;
    const mailsTo = (email: string) => smtp.received.filter(({ to }) => to.includes(email));
    await until('the admin has a mail', () => mailsTo(admin.email).length > 0);
    const [mail] = mailsTo(admin.email);
    assert.match(mail?.subject ?? '', /60/);
    assert.deepEqual(mailsTo(hr.email), []);
  });
});
