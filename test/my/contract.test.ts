import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { createMessage } from '../../src/domain/messages/message.ts';
import {
  AgreementDecisionBody,
  type MyAgreement,
  MyAgreementSchema,
} from '../../src/features/contracts/my-contract.ts';
import { type MyDocuments, MyDocumentsQuery, MyDocumentsSchema } from '../../src/features/documents/my-contract.ts';
import {
  type MyHistory,
  MyHistorySchema,
  PreviewRequestBody,
  RequestBody,
  RequestOutcomeSchema,
  type RequestOutcomeView,
  type RequestPreview,
  RequestPreviewSchema,
  UndoBody,
} from '../../src/features/subscriptions/my-contract.ts';
import {
  type MyTicket,
  type ReplacedTicket,
  ReplacedTicketSchema,
  ReplacementBody,
} from '../../src/features/tickets/my-contract.ts';
import {
  type Home,
  HomeSchema,
  type MyData,
  MyDataSchema,
  MySettingsBody,
  MySettingsSchema,
} from '../../src/my/contract.ts';
import { MessageSchema } from '../../src/platform/http/message-schema.ts';
import { MoneySchema } from '../../src/platform/http/schemas.ts';

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
for (const schema of [MessageSchema, MoneySchema]) ajv.addSchema(schema);

function assertMatches(schema: TSchema, value: unknown): void {
  assert(ajv.validate(schema, JSON.parse(JSON.stringify(value))), ajv.errorsText(ajv.errors));
}

const sha256 = 'a'.repeat(64);
const money = (value: number) => ({ label: `${value / 100} €`, value });
const sentence = createMessage('answer-next-month');

const ticket: MyTicket = {
  ...{
    id: 'DT-202611-000001',
    product: 'Deutschlandticket Job',
    month: '2026-11',
    firstName: 'Anna',
    lastName: 'Lang',
  },
  ...{ validFrom: '2026-11-01', validUntil: '2026-11-30', code: 'TB1.…', format: 'qr', isTest: true },
  wallet: { apple: null, google: null },
};
const amounts = { ticketPrice: money(6300), companyAmount: money(4300), employeeAmount: money(2000) };
const subscription: Home['subscription'] = {
  ...{ status: 'scheduled-pause', sentence, reasons: [], planType: 'split-pay-plan', ...amounts },
  ...{ deductedWith: '2026-11', startAt: '2026-01-01', endAt: null, nextTicketAt: '2027-02-01' },
  ...{ lastTicketMonth: null, lastDeductionMonth: null, whoCanChange: null },
  pauses: [{ by: 'employee', from: '2026-12-01', until: '2027-02-01' }],
  undo: { requestId: 1, action: 'pause', until: '2026-11-10' },
};

test("the schemas of the employee's page accept what their types describe, and nothing else", () => {
  const home: Home = {
    ...{
      today: '2026-11-14',
      ticket,
      nextTicket: null,
      missing: null,
      subscription,
      agreement: { status: 'pending', canDecide: true },
    },
    actions: [{ action: 'pause', isPossible: false, message: sentence, earliestFrom: null }],
  };
  assertMatches(HomeSchema, home);
  assert(!ajv.validate(HomeSchema, { ...home, employeeId: 1 }));

  const outcome = {
    ...{ ...subscription, reasons: undefined, planType: undefined, whoCanChange: undefined, undo: undefined },
    ...{ action: 'pause', from: '2026-12-01', until: null, undoUntil: '2026-11-10' },
    changes: [{ effectiveOn: '2026-12-01', message: sentence }],
  } as const;
  const preview = { ...outcome, refusal: null, needsAgreement: false } as unknown as RequestPreview;
  assertMatches(RequestPreviewSchema, preview);
  assertMatches(RequestOutcomeSchema, { ...outcome, requestId: 1 } as unknown as RequestOutcomeView);

  const history: MyHistory = [
    { recordedAt: '2026-11-14T08:00:00Z', effectiveOn: '2026-12-01', message: sentence, by: 'employee' },
  ];
  assertMatches(MyHistorySchema, history);

  const agreement: MyAgreement = {
    ...{ purpose: 'decide', status: 'pending', planType: 'split-pay-plan', monthlyAmount: money(2000) },
    ...{ decision: null, sha256 },
  };
  assertMatches(MyAgreementSchema, agreement);
  const replaced: ReplacedTicket = { ticket, remaining: 2 };
  assertMatches(ReplacedTicketSchema, replaced);
  const documents: MyDocuments = { data: { data: [], page: 1, perPage: 10, totalPages: 0, total: 0 } };
  assertMatches(MyDocumentsSchema, documents);
  const data: MyData = {
    createdAt: '2026-11-14T08:00:00Z',
    sections: [{ name: 'profile', total: 1, records: [{ firstName: 'Anna' }] }],
  };
  assertMatches(MyDataSchema, data);
  assertMatches(MySettingsSchema, { language: 'de', mails: true });
});

test("requests of the employee's page refuse what they do not know", () => {
  const cases: [TSchema, object, object][] = [
    [PreviewRequestBody, { action: 'pause', from: '2026-12-01', until: null }, { action: 'pause', employeeId: 2 }],
    [RequestBody, { action: 'subscribe', agreementSha256: sha256 }, { action: 'subscribe', agreementSha256: 'a' }],
    [UndoBody, { requestId: 1 }, { requestId: 0 }],
    [AgreementDecisionBody, { decision: 'contract-accepted', sha256 }, { decision: 'contract-accepted' }],
    [ReplacementBody, { reason: 'new-phone' }, { reason: 'lost' }],
    [MySettingsBody, { mails: false }, { mails: 'off' }],
    [MyDocumentsQuery, { page: 1, perPage: 10 }, { page: 'first' }],
  ];
  for (const [schema, accepted, refused] of cases) {
    assertMatches(schema, accepted);
    assert(!ajv.validate(schema, refused), JSON.stringify(refused));
  }
});
