import { type Static, Type } from 'typebox';
import { contractDecisions, contractStatuses, planTypes } from '../../domain/enums.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, MoneySchema, Nullable, NullableObject, Timestamp } from '../../platform/http/schemas.ts';

/** What happens to the agreement: it is to be decided, subscribing accepts it, or it was decided. */
const agreementPurposes = ['decide', 'subscribe', 'decided'] as const;

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the agreement as PDF.' });

/** One's own agreement about the deduction from the salary. */
export const MyAgreementSchema = Closed({
  purpose: Enum(agreementPurposes),
  status: Nullable(Enum(contractStatuses), 'Null: there is no subscription with an agreement.'),
  planType: Enum(planTypes),
  monthlyAmount: NullableObject(MoneySchema, 'What the employee pays per month, if it is a fixed amount.'),
  decision: Nullable(
    Closed({ decision: Enum(contractDecisions), decidedAt: Timestamp('When.') }),
    'What the employee decided about this file here. Null: nothing, or it was recorded elsewhere.',
  ),
  sha256: Sha256,
});
export type MyAgreement = Static<typeof MyAgreementSchema>;

/** What the overview says about the agreement. The file and its hash come from `GET /agreement`. */
export const MyAgreementStateSchema = Closed({
  status: Enum(contractStatuses),
  canDecide: Type.Boolean({ description: 'Whether the employee can accept or reject it now.' }),
});

export const AgreementDecisionBody = Closed({ decision: Enum(contractDecisions), sha256: Sha256 });
export type AgreementDecisionBody = Static<typeof AgreementDecisionBody>;
