import { type DocumentKind, documentKinds } from '../../src/domain/enums.ts';
import type { PrintedContent } from '../../src/features/documents/pdf/content.ts';

type Common = Omit<Extract<PrintedContent, { kind: 'cancellation-confirmation' }>, 'kind' | 'endsOn' | 'neverStarted'>;

const common: Common = {
  locale: 'de-DE',
  currency: 'EUR',
  companyName: 'Musterwerk GmbH',
  firstName: 'Anna',
  lastName: 'Müller-Lüdenscheidt',
  email: 'anna.mueller@musterwerk.example',
  employeeId: 1042,
  documentId: 57,
  planType: 'split-pay-plan',
  contributionCents: 2000,
  madeOn: '2026-10-14',
};

const particulars = {
  'subscription-confirmation': { kind: 'subscription-confirmation', startsOn: '2026-11-01' },
  'contribution-agreement': { kind: 'contribution-agreement', startsOn: '2026-11-01', agreedOn: '2026-10-12' },
  'ticket-confirmation': {
    kind: 'ticket-confirmation',
    month: '2026-11-01',
    ticketId: 'T-001042-2026-11',
    validFrom: '2026-11-01',
    validUntil: '2026-11-30',
    netCents: 5593,
    taxCents: 392,
    grossCents: 5985,
    companyShareCents: 3985,
    employeeShareCents: 2000,
  },
  'cancellation-confirmation': { kind: 'cancellation-confirmation', endsOn: '2026-12-01' },
  'yearly-statement': {
    kind: 'yearly-statement',
    year: 2026,
    months: Array.from({ length: 12 }, (_, index) => ({
      month: `2026-${String(index + 1).padStart(2, '0')}-01`,
      grossCents: 5985,
      companyShareCents: 3985,
      employeeShareCents: 2000,
      taxFreeCents: index < 9 ? 3985 : 0,
      flatTaxCents: index < 9 ? 0 : 3985,
    })),
    benefitValuation: 96,
    replaces: { documentId: 41, madeOn: '2027-01-01' },
  },
} as const;

export const aContent = (kind: DocumentKind, changes: Partial<Common> = {}): PrintedContent => ({
  ...common,
  ...changes,
  ...particulars[kind],
});

export const allKinds = (changes: Partial<Common> = {}): PrintedContent[] =>
  documentKinds.map((kind) => aContent(kind, changes));
