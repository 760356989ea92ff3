import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as enums from '../../src/domain/enums.ts';
import { en } from '../../src/domain/messages/en.ts';
import type { Message, MessagePart } from '../../src/domain/messages/message.ts';
import { changeSources } from '../../src/domain/subscription/sources.ts';
import { causes } from '../../src/domain/subscription/transitions.ts';
import { personio } from '../../src/features/connectors/providers/personio.ts';
import { mapRecord, type ProviderAbsence } from '../../src/features/connectors/rules/map-record.ts';
import { mappedFields } from '../../src/features/connectors/rules/mapping.ts';
import { employeeExample } from '../../src/features/employees/contract.ts';
import { describeSource } from '../../src/features/roster/rules/source.ts';
import { problems } from '../../src/platform/http/errors.ts';
import { openPortal } from '../support/render-portal.ts';

let portal: Awaited<ReturnType<typeof openPortal>>;
before(async () => {
  portal = await openPortal();
});
after(() => portal.close());

const fieldNames = [...mappedFields, 'autoSyncEmployee', 'absences'];
const messageKeys = Object.keys(en) as Message['key'][];

/** Everything that has a name in the code and must have words on a page. */
const keys = new Set(
  [...Object.values(enums).flat(), ...causes, ...changeSources, ...messageKeys, ...Object.keys(problems), 'hr-system']
    .filter((key) => key.includes('-'))
    .concat(fieldNames.filter((name) => /[A-Z]/.test(name))),
);

/** Names of fields and attributes in code, and quotations, are meant as they are. */
const withoutNames = (text: string) => text.replaceAll(/`[^`]*`|„[^“]*“|"[^"]*"/g, '…');

/** No German word is written like this, so that a name nobody has thought of is found as well. */
const anyKey = /(?<![\w./@-])[a-z]+(?:-[a-z]+|[A-Z][a-z]+)+(?![\w./-])/g;

const findKeys = (texts: readonly string[], language: 'de' | 'en') =>
  texts.flatMap((text) => {
    const written = withoutNames(text);
    const known = (written.match(/[\w.-]*\w/g) ?? []).filter((word) => keys.has(word));
    const others = language === 'de' ? (written.match(anyKey) ?? []) : [];
    return [...known, ...others, ...(written.match(/\{\w+/g) ?? [])].map((key) => `${key}: ${text}`);
  });

/** Renders a component in both languages, and returns what it shows in German. */
async function renderWithoutKeys(component: readonly [string, string], props: object): Promise<string[]> {
  const english = await portal.render(component, props, 'en');
  const german = await portal.render(component, props, 'de');
  assert.deepEqual([...findKeys(german, 'de'), ...findKeys(english, 'en')], []);
  assert.equal(german.length, english.length);
  return german;
}

const samples: Record<string, string | number | Message[]> = {
  date: '2026-12-01',
  lastDay: '2026-12-01',
  written: '2026-02-31',
  ordinal: 3,
  year: 2026,
  place: 'row 5',
  system: 'Personio',
  status: 'scheduled-cancellation',
  field: 'terminationDate',
  // The other parts are rendered as messages of their own.
  text: 'until-further-notice',
  list: [{ key: 'value-missing', values: {} }],
};

/** Returns a message of every text in the catalogue. */
const sampleMessage = (key: Message['key']): Message => {
  const placeholders = [...en[key].matchAll(/\{(\w+)(?::(\w+))?\}/g)];
  const values = placeholders.map(([, name, kind]) => [name, samples[kind ?? ''] ?? 'X']);
  return { key, values: Object.fromEntries(values) };
};

const absences: ProviderAbsence[] = [
  { typeId: 'parental-leave', typeName: 'Elternzeit', startDate: '2026-12-01', endDate: null, approved: true },
  { typeId: 'parental-leave', typeName: null, startDate: '2026-12-01', endDate: null, approved: true },
  { typeId: '123', typeName: null, startDate: '2026-12-01', endDate: null, approved: true },
  { typeId: '', typeName: null, startDate: '2026-12-01', endDate: null, approved: true },
];

const recordList = ['ui/records/records.tsx', 'RecordList'] as const;
const record = { hrId: '7', employeeId: null, outcome: 'updated', message: null, detail: '–', changes: [] };

/** The page shows the detail only if it has no words: the key stands for it. */
const reasonOf = (message: Message, cause: string) => {
  return { cause, rule: message.key, detail: message.key, message, effectiveAt: '2026-12-01' };
};

describe('pages show words, never keys', () => {
  it('for every rule and cause of a sync record', async () => {
    const records = messageKeys.map((key, index) => {
      const cause = [...causes, 'hr-system'][index % (causes.length + 1)] ?? '';
      const message = sampleMessage(key);
      return { ...record, hrId: String(index), reasons: [reasonOf(message, cause)] };
    });
    assert.ok(records.length > 200, `${records.length} messages`);
    const texts = await renderWithoutKeys(recordList, { records, label: 'Liste' });
    assert.ok(texts.includes('Laut HR-System'));
  });

  it('for every outcome and status of a sync record', async () => {
    const { recordOutcomes, subscriptionStatuses } = enums;
    const records = subscriptionStatuses.map((to, index) => {
      const outcome = recordOutcomes[index % recordOutcomes.length];
      const changes = [{ field: 'subscription.status', from: null, to }];
      return { ...record, hrId: String(index), outcome, changes, reasons: [] };
    });
    await renderWithoutKeys(recordList, { records, label: 'Liste' });
  });

  it('for every change in the history of a subscription', async () => {
    const entries = causes.map((cause, index) => ({
      recordedAt: '2026-11-01T08:00:00.000Z',
      knownOn: '2026-11-01',
      effectiveOn: '2026-12-01',
      cause,
      detail: 'start-has-come',
      message: sampleMessage('start-has-come'),
      from: enums.subscriptionStatuses[index % enums.subscriptionStatuses.length],
      to: enums.subscriptionStatuses[(index + 1) % enums.subscriptionStatuses.length],
      fields: [],
      source: changeSources[index % changeSources.length],
      actor: { type: enums.actorTypes[index % enums.actorTypes.length], name: null, username: null },
      syncId: null,
      hrIntegrationId: null,
    }));
    // The page folds more than eight.
    for (let start = 0; start < entries.length; start += 8) {
      const history = entries.slice(start, start + 8);
      await renderWithoutKeys(['features/employees/employee/Timeline.tsx', 'Timeline'], { history, handChanges: [] });
    }
  });

  it('for the costs of every plan', async () => {
    const lateCharges = (['late-termination', 'late-absence'] as const).map(sampleMessage);
    const { subscription, plan } = employeeExample;
    for (const type of enums.planTypes) {
      const planChange = { from: '2027-01-01', planType: type, employeeContributionAmount: null };
      for (const change of [null, planChange]) {
        const employee = { subscription, plan: { ...plan, type } };
        const details = { employee, charges: [], lateCharges, planChange: change };
        await renderWithoutKeys(['features/employees/employee/parts.tsx', 'Costs'], { details });
      }
    }
  });

  it('for every type of absence, also where the HR system sends only its id', async () => {
    const attributes = Object.fromEntries(Object.values(personio.defaultMapping.fields).map((name) => [name, 'x']));
    const mapped = mapRecord(
      { attributes: { ...attributes, status: 'active' }, absences },
      personio.defaultMapping,
      'Europe/Berlin',
    );
    assert.equal(mapped.kind, 'entry');
    const sources = mapped.kind === 'entry' ? mapped.sources.filter(({ field }) => field === 'absences') : [];
    const reasons = sources.map((source) => reasonOf(describeSource(source).message, 'hr-system'));
    const texts = await renderWithoutKeys(recordList, { records: [{ ...record, reasons }], label: 'Liste' });
    assert.deepEqual(
      texts.filter((text) => /Abwesen/.test(text)),
      ['Abwesend wegen „Elternzeit“.', 'Abwesenheit im HR-System.'],
    );
  });

  it('for every type of absence in the rules of a connection', async () => {
    const types = [
      { id: '1', name: 'Elternzeit' },
      { id: '123', name: null },
    ];
    const props = { rules: { types: ['1', '99'] }, types, onChange: () => {} };
    const texts = await renderWithoutKeys(['features/connectors/set-up/mapping.tsx', 'AbsenceRules'], props);
    for (const name of ['Elternzeit', 'Abwesenheit (123)', 'Abwesenheit (99)']) assert.ok(texts.includes(name), name);
  });

  it('for every field of a record that cannot be used', async () => {
    const reasons = [...fieldNames, 'entry'].map((field) => {
      const part: MessagePart = { key: 'unusable-employee', values: { hrId: '7', field, detail: 'value-missing' } };
      return reasonOf({ key: 'connector-unusable', values: { system: 'Personio', problems: [part] } }, 'hr-system');
    });
    const records = reasons.map((reason, index) => ({ ...record, hrId: String(index), reasons: [reason] }));
    const texts = await renderWithoutKeys(recordList, { records, label: 'Liste' });
    assert.ok(texts.some((text) => text.includes('HR-ID 7: Letzter Arbeitstag fehlt')));
    assert.ok(texts.every((text) => !/\bentry\b/.test(text)));
  });

  it('for every error', async () => {
    for (const code of Object.keys(problems)) {
      const [text] = await renderWithoutKeys(['ui/MessageText.tsx', 'ProblemText'], {
        problem: { code, message: code, explanation: null },
      });
      assert.ok(text, code);
    }
  });
});
