import { Select, SimpleGrid } from '@mantine/core';
import { planTypes, taxTreatments } from '../../../../src/domain/enums.ts';
import type { NewPolicyBody } from '../../../../src/features/policies/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { WholeNumberInput } from '../../ui/fields.tsx';
import { EurosInput } from '../companies/EurosInput.tsx';
import { texts } from './texts.ts';

type Terms = NewPolicyBody['terms'];

const splits = ['employee', 'employer', 'percent'] as const;

/** Terms as they are being entered. Undefined: not a value yet. */
export interface TermsDraft {
  planType: Terms['planType'];
  split: (typeof splits)[number];
  cents: number | null | undefined;
  percent: number | null | undefined;
  minimum: number | null | undefined;
  maximum: number | null | undefined;
  waiting: number | null | undefined;
  tax: Terms['taxTreatment'];
}

export const emptyDraft: TermsDraft = {
  ...{ planType: 'split-pay-plan', split: 'employee', cents: null, percent: null },
  ...{ minimum: null, maximum: null, waiting: 0, tax: null },
};

/** Returns the draft that says what these terms say. */
export function draftOf(terms: Terms | undefined): TermsDraft {
  if (terms === undefined) return emptyDraft;
  const { planType, employeeCents, employerCents, employerPercent, minimumCents, maximumCents } = terms;
  const split = employerPercent !== null ? 'percent' : employerCents !== null ? 'employer' : 'employee';
  return {
    ...{ planType, split, cents: employeeCents ?? employerCents, percent: employerPercent },
    ...{ minimum: minimumCents, maximum: maximumCents, waiting: terms.waitingMonths, tax: terms.taxTreatment },
  };
}

/** Returns the terms, or undefined while something is missing or wrong. */
export function termsOf(draft: TermsDraft): Terms | undefined {
  const { planType, split, cents, percent, minimum, maximum, waiting, tax: taxTreatment } = draft;
  if (typeof waiting !== 'number') return undefined;
  const none = {
    employeeCents: null,
    employerCents: null,
    employerPercent: null,
    minimumCents: null,
    maximumCents: null,
  };
  const common = { planType, ...none, waitingMonths: waiting, taxTreatment };
  if (planType !== 'split-pay-plan') return common;
  if (split === 'percent') {
    if (typeof percent !== 'number' || minimum === undefined || maximum === undefined) return undefined;
    return { ...common, employerPercent: percent, minimumCents: minimum, maximumCents: maximum };
  }
  if (typeof cents !== 'number') return undefined;
  return split === 'employee' ? { ...common, employeeCents: cents } : { ...common, employerCents: cents };
}

interface Props {
  draft: TermsDraft;
  onChange(changed: Partial<TermsDraft>): void;
}

const most = 1_000_000;

function Split({ draft, onChange }: Props) {
  const { t } = useReader(texts);
  const { split } = draft;
  return (
    <>
      <Select
        label={t('split')}
        data={splits.map((value) => ({ value, label: t(`split-${value}`) }))}
        value={split}
        onChange={(value) => onChange({ split: splits.find((one) => one === value) ?? split })}
        allowDeselect={false}
      />
      {split === 'percent' ? (
        <>
          <WholeNumberInput
            label={t('percent')}
            number={draft.percent ?? null}
            onNumber={(percent) => onChange({ percent })}
            range={[0, 100]}
          />
          <EurosInput
            label={t('minimum')}
            cents={draft.minimum ?? null}
            onCents={(minimum) => onChange({ minimum })}
            range={[0, most]}
            isOptional
          />
          <EurosInput
            label={t('maximum')}
            cents={draft.maximum ?? null}
            onCents={(maximum) => onChange({ maximum })}
            range={[0, most]}
            isOptional
          />
        </>
      ) : (
        <EurosInput
          key={split}
          label={t(split === 'employee' ? 'amountEmployee' : 'amountEmployer')}
          cents={draft.cents ?? null}
          onCents={(cents) => onChange({ cents })}
          range={[0, most]}
        />
      )}
    </>
  );
}

/** The fields for who pays what. */
export function TermsFields(props: Props) {
  const { t, words } = useReader(texts);
  const { draft, onChange } = props;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label={t('planType')}
        data={planTypes.map((value) => ({ value, label: words.plan[value] }))}
        value={draft.planType}
        onChange={(value) => onChange({ planType: planTypes.find((one) => one === value) ?? draft.planType })}
        allowDeselect={false}
      />
      {draft.planType === 'split-pay-plan' && <Split {...props} />}
      <WholeNumberInput
        label={t('waiting')}
        description={t('waitingHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        number={draft.waiting ?? null}
        onNumber={(waiting) => onChange({ waiting })}
        range={[0, 24]}
      />
      <Select
        label={t('tax')}
        data={[
          { value: '', label: t('taxDefault') },
          ...taxTreatments.map((value) => ({ value, label: words.taxTreatment[value] })),
        ]}
        value={draft.tax ?? ''}
        onChange={(value) => onChange({ tax: taxTreatments.find((one) => one === value) ?? null })}
        allowDeselect={false}
      />
    </SimpleGrid>
  );
}
