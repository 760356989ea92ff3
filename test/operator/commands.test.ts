import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { permissions } from '../../src/domain/enums.ts';
import { parseUsername } from '../../src/features/keys/credentials.ts';
import { insertKey, rotateKey } from '../../src/features/keys/keys.ts';
import { asCompanyId } from '../../src/platform/db/company-scope.ts';
import { basic, type Credentials, useApp } from '../support/app.ts';
import { runInProcess } from '../support/cli.ts';
import { commandsIn } from '../support/commands.ts';
import { anEmployee, makeEmployees } from '../support/factories.ts';
import { anonymousClient, signIn } from '../support/portal.ts';
import { rowOf, rowsOf } from '../support/rows.ts';

describe("the operator's commands", () => {
  const app = useApp({ clock: 'environment', worker: true });
  let env: Record<string, string>;

  before(async () => {
    env = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.config.dataDir };
  });

  const succeed = (...words: string[]) => commandsIn(env).succeed(...words);
  const fail = (...words: string[]) => commandsIn(env).fail(...words);

  const get = (path: string, key: Credentials) =>
    fetch(`${app.url}${path}`, { headers: { authorization: basic(key) } });

  it('refuse names with line breaks, direction marks or no visible character', async () => {
    for (const [name, reason] of [
      ['A\nB', /^--name must not contain control characters or line breaks: remove U\+000A at character 2\.\n$/],
      ['A\u202eB', /^--name must not contain characters that change the text direction/],
      ['\u200b', /^--name must contain at least one visible character/],
      ['M\ufffdller', /^--name must not contain the replacement character/],
    ] as const) {
      assert.match(await fail('company', 'create', '--name', name), reason);
      const integration = ['--company', '1', '--name', name, '--type', 'api-integration'];
      assert.match(await fail('integration', 'create', ...integration), reason);
    }
  });

  it('set up a company up to its first responses', async () => {
    const { id: company } = await succeed(
      'company',
      'create',
      '--name',
      'Acme',
      '--plan',
      'split-pay-plan',
      '--employee-contribution',
      '2000',
    );
    const permissions = 'view-employees,view-hr-integrations';
    const key = await succeed('key', 'create', '--company', String(company), '--permissions', permissions);
    const me = await (await get('/me', key)).json();
    assert.deepEqual((me as { data: { permissions: string[] } }).data.permissions, permissions.split(','));

    const { id } = await succeed(
      'integration',
      'create',
      '--company',
      String(company),
      '--name',
      'HR',
      '--type',
      'hr-integration',
    );
    const integration = async () =>
      ((await (await get(`/hr-integrations/${id}`, key)).json()) as { data: Record<string, unknown> }).data;
    assert.deepEqual(
      [(await integration()).initialConnectionStatus, (await integration()).canTriggerSync],
      ['incomplete', false],
    );
    await succeed(
      'integration',
      'set',
      String(id),
      '--company',
      String(company),
      '--onboarding',
      'completed',
      '--status',
      'inactive',
    );
    assert.deepEqual(
      [(await integration()).status, (await integration()).initialConnectionStatus],
      ['inactive', 'completed'],
    );
    await succeed('integration', 'set', String(id), '--company', String(company), '--status', 'active');
    assert.equal((await integration()).canTriggerSync, true);
  });

  it('add a document that the API then serves', async () => {
    const { id: company } = await succeed('company', 'create', '--name', 'Paper');
    const key = await succeed('key', 'create', '--company', String(company), '--permissions', 'view-employees');
    const [employee] = await makeEmployees(app.db, asCompanyId(company), [anEmployee()]);
    const file = join(app.config.dataDir, 'contract.PDF');
    await writeFile(file, '%PDF-1.7 %%EOF');
    const target = ['--company', String(company), '--employee', String(employee)];
    const { id } = await succeed('document', 'add', ...target, '--file', file, '--name', 'Contract');
    const download = await get(`/employee-documents/${id}/download`, key);
    assert.deepEqual(Buffer.from(await download.arrayBuffer()), await readFile(file));

    const picture = join(app.config.dataDir, 'photo.png');
    await writeFile(picture, 'png');
    const photo = await succeed('document', 'add', ...target, '--file', picture, '--name', 'Photo');
    assert.equal((await get(`/employee-documents/${photo.id}/download`, key)).status, 409);

    await writeFile(file, 'no pdf');
    assert.match(await fail('document', 'add', ...target, '--file', file, '--name', 'X'), /is not a PDF file/);
    assert.match(await fail('document', 'add', ...target, '--file', '/nowhere', '--name', 'X'), /cannot be read/);
    const unknownEmployee = ['--company', String(company), '--employee', '999999'];
    assert.match(
      await fail('document', 'add', ...unknownEmployee, '--file', picture, '--name', 'X'),
      /has no such employee: check the id/,
    );
  });

  it('rotate a key with an overlap, and revoke it', async () => {
    const { id: company } = await succeed('company', 'create', '--name', 'Keys');
    const old = await succeed(
      'key',
      'create',
      '--company',
      String(company),
      '--permissions',
      'view-billing',
      '--name',
      'Payroll',
    );
    const fresh = await succeed('key', 'rotate', '--username', old.username);
    assert.equal(fresh.username, old.username);
    assert.deepEqual([(await get('/me', old)).status, (await get('/me', fresh)).status], [200, 200]);
    await succeed('key', 'rotate', '--username', old.username, '--overlap-ends-at', '2020-01-01T00:00:00Z');
    await succeed('key', 'revoke', '--username', old.username);
    assert.match(await fail('key', 'revoke', '--username', old.username), /no active key with this username/);
  });

  it('create a user who can sign in to the portal', async () => {
    const { id: company } = await succeed('company', 'create', '--name', 'Portal');
    const create = ['user', 'create', '--company', String(company)];
    const password = 'a long password';
    const { id } = await succeed(...create, '--email', 'Ada@example.com', '--password', password);
    const client = await signIn(app, { email: 'ada@example.com', password });
    const { body: me } = await client.get('/me');
    assert.partialDeepStrictEqual(me.data.user, { id, name: 'Ada', email: 'ada@example.com', roles: ['admin'] });

    const second = ['--email', 'vera@example.com', '--password', password, '--name', 'Vera V', '--role', 'viewer'];
    await succeed(...create, ...second);
    assert.match(await fail(...create, ...second), /^vera@example\.com already has an account in company \d+/);
    const other = ['--email', 'x@example.com', '--password', password];
    assert.match(
      await fail(...create, ...other, '--role', 'boss'),
      /^--role must be "all" or a list of admin, hr, payroll, developer, viewer; "boss"/,
    );
    assert.match(
      await fail(...create, '--email', 'x@example.com', '--password', 'short'),
      /must have 12 to 128 characters/,
    );
    assert.match(await fail(...create, '--email', 'x', '--password', password), /^--email must be an email address/);
    assert.match(await fail('user', 'create', '--company', '999', ...other), /no company 999/);
  });

  it('read passwords from standard input, and refuse common ones', async () => {
    const { id: company } = await succeed('company', 'create', '--name', 'Stdin');
    const user = (name: string) => ['--company', String(company), '--email', `${name}@example.com`];
    const { reading } = commandsIn(env);
    const tryToSignIn = async (name: string, password: string) =>
      (await anonymousClient(app).post('/auth/sign-in/email', { email: `${name}@example.com`, password })).status;
    await reading('typed by hand, twice\n').succeed('user', 'create', ...user('grace'));
    assert.equal(await tryToSignIn('grace', 'typed by hand, twice'), 204);
    const weak = await reading('Password1234').fail('user', 'create', ...user('weak'));
    assert.match(weak, /^The password is one of the passwords that are guessed first/);
    assert.match(
      await fail('user', 'create', ...user('weakling'), '--password', 'weakling 4711'),
      /^--password must not contain the email address/,
    );
    assert.match(await fail('user', 'create', ...user('none')), /^The password is missing/);

    const given = await succeed('user', 'set-roles', ...user('grace'), '--role', 'payroll,hr,admin');
    assert.deepEqual(given.roles, ['admin', 'hr', 'payroll']);
    assert.deepEqual((await succeed('user', 'list', '--company', String(company)))[0].roles, given.roles);
    await succeed('user', 'set-roles', ...user('grace'), '--role', 'admin');
    const reset = await reading('another one entirely').succeed('user', 'reset-password', ...user('grace'));
    assert.equal(reset.endedSessions, 1);
    assert.equal(await tryToSignIn('grace', 'typed by hand, twice'), 401);
    assert.equal(await tryToSignIn('grace', 'another one entirely'), 204);
    const closed = await succeed('user', 'disable', ...user('grace'));
    assert.deepEqual(closed, {
      id: reset.id,
      revokedInvitations: 0,
      revokedKeys: [],
      keptKeys: [],
      webhookEndpoints: [],
    });
    assert.equal(await tryToSignIn('grace', 'another one entirely'), 401);
    const [listed] = await succeed('user', 'list', '--company', String(company));
    assert.deepEqual(
      [listed.email, listed.name, listed.roles, listed.disabled],
      ['grace@example.com', 'grace', ['admin'], true],
    );
    await reading('open it once more').succeed('user', 'reset-password', ...user('grace'));
    assert.equal(await tryToSignIn('grace', 'open it once more'), 204);
    assert.match(await fail('user', 'disable', ...user('nobody')), /has no portal user nobody@example\.com/);
  });

  it('remove a user with the keys that only they know, or as specified', async () => {
    const { id: company } = await succeed('company', 'create', '--name', 'Leavers');
    const permissions: ['view-billing'] = ['view-billing'];
    for (const [decision, revoked] of [
      [[], ['Only theirs']],
      [
        ['--revoke-keys', 'yes'],
        ['Handed over', 'Only theirs'],
      ],
      [['--revoke-keys', 'no'], []],
    ] as const) {
      const user = ['--company', String(company), '--email', 'leaver@example.com'];
      const { id } = await succeed('user', 'create', ...user, '--password', 'an uncommon phrase');
      const by = { actor: { type: 'user', name: id } } as const;
      await app.db.transaction().execute(async (tx) => {
        await insertKey(tx, asCompanyId(company), { environment: 'staging', name: 'Only theirs', permissions }, by);
        const shared = await insertKey(
          tx,
          asCompanyId(company),
          { environment: 'staging', name: 'Handed over', permissions },
          by,
        );
        const key = parseUsername(shared.username);
        assert(key);
        await rotateKey(tx, key, { environment: 'staging', overlapEnds: Temporal.Now.instant() });
      });
      const result = await succeed('user', 'remove', ...user, ...decision);
      const names = (keys: { name: string }[]) => keys.map(({ name }) => name);
      assert.deepEqual(names(result.revokedKeys), revoked);
      assert.equal(result.revokedKeys.length + result.keptKeys.length, 2);
    }
    assert.deepEqual(await succeed('user', 'list', '--company', String(company)), []);
  });

  it('record every change in the audit log', async () => {
    const { id: company } = await succeed('company', 'create', '--name', 'Audited');
    const { username } = await succeed('key', 'create', '--company', String(company), '--permissions', 'view-billing');
    const someone = ['--email', 'audited@example.com', '--password', 'a long password'];
    const { id: userId } = await succeed('user', 'create', '--company', String(company), ...someone);
    const rows = await rowsOf(app.db, 'audit_log', { company_id: company }, ['actor_type', 'action', 'target']);
    assert.deepEqual(rows, [
      { actor_type: 'operator', action: 'company.create', target: String(company) },
      { actor_type: 'operator', action: 'key.create', target: username },
      { actor_type: 'operator', action: 'user.create', target: userId },
    ]);
  });

  it('report errors in one line', async () => {
    assert.match(await fail('dance'), /^Unknown command 'dance'\. Run ".* --help" to see what it accepts\.\n$/);
    assert.match(await fail('company', 'create'), /^--name is missing/);
    assert.match(await fail('company', 'create', '--name', 'X', '--plan', 'free'), /^--plan must be one of .*"free"/);
    assert.match(
      await fail('company', 'create', '--name', 'X', '--employee-contribution', '1.5'),
      /whole number of cents/,
    );
    assert.match(await fail('company', 'create', '--nam', 'X'), /^Unknown option '--nam'\. Did you mean --name\? Run/);
    assert.match(await fail('key', 'create', '--company', '999', '--permissions', 'view-billing'), /no company 999/);
    assert.match(await fail('key', 'create', '--company', '1', '--permissions', 'none'), /"none" is none of them/);
    assert.match(await fail('integration', 'set', '1', '--company', '999', '--status', 'active'), /no company 999/);
    assert.match(
      await fail('integration', 'set', '--company', '1', '--status', 'active'),
      /id of the integration is missing/,
    );
  });

  it('print the OpenAPI document that is committed', async () => {
    const { stdout } = await runInProcess(['openapi']);
    const committed = JSON.parse(await readFile(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'));
    assert.deepEqual(JSON.parse(stdout), committed);
  });

  it('show and change the settings of a company, with from and to in the audit log', async () => {
    const { id } = await succeed('company', 'create', '--name', 'Set Up');
    const changed = await succeed(
      'company',
      'set',
      String(id),
      ...['--name', 'Setup', '--cut-off-day', '5', '--guard-minimum', '50', '--guard-percent', '10'],
      ...[
        '--retention-days',
        '30',
        '--audit-retention-days',
        '365',
        '--time-zone',
        'Europe/Vienna',
        '--locale',
        'de-AT',
      ],
      ...['--plan', 'split-pay-plan', '--employee-contribution', '1500'],
      ...['--payroll-system', 'datev-lodas', '--payroll-consultant', '1234567', '--payroll-client', '12345'],
      ...['--wage-type-tax-free', '700', '--wage-type-flat-tax', '701', '--wage-type-deduction', '9100'],
      ...['--tax-treatment', 'flat-tax', '--benefit-valuation', '96', '--personnel-number-rule', 'hr-id-digits'],
    );
    const settings = {
      id,
      name: 'Setup',
      locale: 'de-AT',
      timeZone: 'Europe/Vienna',
      planType: 'split-pay-plan',
      contributionCents: 1500,
      cutOffDay: 5,
      guardMinimumLinked: 50,
      guardMaximumAbsentPercent: 10,
      retentionDays: 30,
      auditRetentionDays: 365,
      agreementParagraph: null,
      joining: 'roster',
      inviteAutomatically: false,
      payrollSystem: 'datev-lodas',
      personnelNumberRule: 'hr-id-digits',
      payrollConsultant: 1234567,
      payrollClient: 12345,
      wageTypeTaxFree: 700,
      wageTypeFlatTax: 701,
      wageTypeDeduction: 9100,
      taxTreatment: 'flat-tax',
      benefitValuation: 96,
      legalName: null,
      street: null,
      postCode: null,
      city: null,
      country: null,
      vatId: null,
      invoiceEmail: null,
      buyerReference: null,
    };
    assert.equal(changed.changes.length, 19);
    assert.deepEqual(await succeed('company', 'show', String(id)), settings);
    const all: { id: number }[] = await succeed('company', 'list');
    assert.deepEqual(
      all.find((one) => one.id === id),
      settings,
    );
    const entries = await rowsOf(app.db, 'audit_log', { company_id: id, action: 'company.change-setting' }, [
      'actor_type',
      'detail',
    ]);
    assert.deepEqual(
      entries.map(({ actor_type, detail }) => ({ by: actor_type, ...(detail as object) })),
      changed.changes.map((change: object) => ({ by: 'operator', ...change })),
    );
    assert.deepEqual((await succeed('company', 'set', String(id), '--cut-off-day', '5')).changes, []);
    assert.match(await fail('company', 'set', String(id)), /^Nothing to set: give --name/);
    assert.match(await fail('company', 'set', '999999', '--cut-off-day', '5'), /^There is no company 999999/);
    assert.match(await fail('company', 'show', 'x'), /must be a number/);
    const wrong = [
      ['--cut-off-day', '32', /^--cut-off-day must be a whole number from 1 to 31, but is "32"/],
      ['--time-zone', 'Berlin', /^--time-zone must be a time zone such as Europe\/Berlin/],
      ['--locale', 'deutsch', /^--locale must be a locale such as/],
      ['--guard-percent', '1.5', /^--guard-percent must be a whole number/],
      ['--plan', 'free', /^--plan must be one of/],
      ['--payroll-system', 'sap', /^--payroll-system must be one of csv, datev-lodas, datev-lug/],
      ['--payroll-client', '100000', /^--payroll-client must be a whole number from 1 to 99999/],
      ['--benefit-valuation', '95', /^--benefit-valuation must be 100 or 96/],
    ] as const;
    for (const [option, value, message] of wrong) {
      assert.match(await fail('company', 'set', String(id), option, value), message);
    }
    assert.deepEqual(await succeed('company', 'show', String(id)), settings);
  });

  it('give a key every permission with `all`', async () => {
    const { id } = await succeed('company', 'create', '--name', 'All');
    const { username } = await succeed('key', 'create', '--company', String(id), '--permissions', 'all');
    const key = await rowOf(app.db, 'api_keys', { company_id: id, id: parseUsername(username)?.keyId ?? '' }, [
      'permissions',
    ]);
    assert.deepEqual(key.permissions.toSorted(), [...permissions].toSorted());
    assert.match(await fail('key', 'create', '--company', String(id), '--permissions', 'all,x'), /must be "all" or/);
  });
});
