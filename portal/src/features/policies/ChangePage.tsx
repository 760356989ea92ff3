import { Input, Radio, Select, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { noAnswerRules } from '../../../../src/domain/enums.ts';
import type { ChangeBody, ChangePreview, PolicyView } from '../../../../src/features/policies/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, Notice, SmallAction } from '../../ui/Action.tsx';
import { DateField } from '../../ui/DateField.tsx';
import { ConfirmChange, useDialog } from '../../ui/Dialog.tsx';
import { Page, Section } from '../../ui/layout.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { EmptyState, Query, RoleGate } from '../../ui/Query.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { Hint, MoneyText, Small } from '../../ui/text.tsx';
import { EmployeeName } from '../issuers/EmployeeName.tsx';
import { useChangePreview, usePolicies, useStartChange } from './api.ts';
import { draftOf, type TermsDraft, TermsFields, termsOf } from './terms.tsx';
import { monthsFrom } from './terms-text.ts';
import { texts } from './texts.ts';

const settleMillis = 300;

interface Asked {
  from: string;
  isSame: boolean;
  draft: TermsDraft;
  deadline: string | null;
  noAnswer: ChangeBody['noAnswer'];
}

/** Returns what is asked for. Undefined while something is missing or wrong. */
function bodyOf({ from, isSame, draft, deadline, noAnswer }: Asked): ChangeBody | undefined {
  const terms = isSame ? null : termsOf(draft);
  return terms === undefined ? undefined : { from, terms, deadline, noAnswer };
}

/** Says in one line what a change does and costs. */
function Effects({ preview }: { preview: ChangePreview }) {
  const { t, formats } = useReader(texts);
  const { affected, mustAgree, company, discountLost, discountGained } = preview;
  const difference = company.perMonth.after.value - company.perMonth.before.value;
  const costs = difference === 0 ? t('sameCosts') : t('perMonth', { amount: formats.signedMoney(difference) });
  return (
    <div>
      <Text fw={600} fz="md" className="figures" role="status">
        {affected === 0 ? t('nobodyAffected') : `${t('affected', { count: affected })}, ${costs}`}
      </Text>
      {affected > 0 && (
        <Hint>
          {mustAgree === 0 ? t('noneAgree') : t('mustAgree', { count: mustAgree })}{' '}
          {discountLost > 0 && t('lost', { count: discountLost })}{' '}
          {discountGained > 0 && t('gained', { count: discountGained })}
        </Hint>
      )}
    </div>
  );
}

type Person = ChangePreview['named'][number];

function Affected({ named, affected }: ChangePreview) {
  const { t, formats } = useReader(texts);
  const consent = ({ mustAgree }: Person) => t(mustAgree ? 'needed' : 'notNeeded');
  const columns: Column<Person>[] = [
    {
      header: t('person'),
      render: (one) => (
        <>
          <EmployeeName id={one.employeeId} name={one.name} />
          {one.discount !== null && <Small>{t(one.discount === 'lost' ? 'losesDiscount' : 'gainsDiscount')}</Small>}
        </>
      ),
    },
    { header: t('before'), align: 'right', render: ({ before }) => <MoneyText money={before} /> },
    { header: t('after'), align: 'right', render: ({ after }) => <MoneyText money={after} strong /> },
    { header: t('consent'), wideOnly: true, render: consent },
  ];
  return (
    <Section title={t('people')} flush>
      <Rows label={t('people')} rows={named} rowKey={({ employeeId }) => employeeId} columns={columns} isQuiet />
      {affected > named.length && (
        <Hint p="md">{t('morePeople', { count: formats.number(affected - named.length) })}</Hint>
      )}
    </Section>
  );
}

function Costs({ company, employees }: ChangePreview) {
  const { t } = useReader(texts);
  const rows = [
    { label: t('companyMonth'), ...company.perMonth },
    { label: t('companyYear'), ...company.perYear },
    { label: t('employeesMonth'), ...employees },
  ];
  return (
    <Rows
      label={t('costs')}
      rows={rows}
      rowKey={({ label }) => label}
      columns={[
        { header: t('costs'), render: ({ label }) => label },
        { header: t('before'), align: 'right', render: ({ before }) => <MoneyText money={before} /> },
        { header: t('after'), align: 'right', render: ({ after }) => <MoneyText money={after} strong /> },
      ]}
      isQuiet
    />
  );
}

interface FieldsProps {
  asked: Asked;
  months: readonly string[];
  usual: string | undefined;
  onChange(changed: Partial<Asked>): void;
}

function Fields({ asked, months, usual, onChange }: FieldsProps) {
  const { t, formats } = useReader(texts);
  // Few need the calendar, which is large.
  const [hasCalendar, setCalendar] = useState(false);
  const description = usual === undefined ? {} : { description: t('deadlineHint', { day: formats.date(usual) }) };
  return (
    <Stack>
      <Select
        label={t('from')}
        data={months.map((month) => ({ value: month, label: formats.month(month) }))}
        value={asked.from}
        onChange={(from) => onChange({ from: from ?? asked.from, deadline: null })}
        allowDeselect={false}
        maw={320}
      />
      <Radio.Group
        label={t('whichTerms')}
        value={asked.isSame ? 'same' : 'new'}
        onChange={(value) => onChange({ isSame: value === 'same' })}
      >
        <Stack gap="xs" mt={4}>
          <Radio value="new" label={t('newTerms')} />
          <Radio value="same" label={t('sameTerms')} description={t('sameTermsHint')} />
        </Stack>
      </Radio.Group>
      {!asked.isSame && (
        <TermsFields draft={asked.draft} onChange={(changed) => onChange({ draft: { ...asked.draft, ...changed } })} />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {hasCalendar ? (
          <DateField
            label={t('deadlineField')}
            value={asked.deadline}
            onChange={(deadline: string | null) => onChange({ deadline })}
            {...description}
            clearable
          />
        ) : (
          <Input.Wrapper label={t('deadlineField')} {...description} labelElement="div">
            <SmallAction mt={4} onClick={() => setCalendar(true)} label={t('otherDeadline')} />
          </Input.Wrapper>
        )}
        <Select
          label={t('noAnswer')}
          description={'\u00a0'}
          data={noAnswerRules.map((value) => ({ value, label: t(value) }))}
          value={asked.noAnswer}
          onChange={(value) => onChange({ noAnswer: noAnswerRules.find((one) => one === value) ?? asked.noAnswer })}
          allowDeselect={false}
        />
      </SimpleGrid>
    </Stack>
  );
}

function Change({ policy }: { policy: PolicyView }) {
  const { t, formats } = useReader(texts);
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const months = monthsFrom(useMe().data?.today ?? '', 19).slice(1);
  const wanted = months.find((month) => month === params.get('from'));
  const latest = policy.coming ?? policy.current;
  const [asked, setAsked] = useState<Asked>({
    ...{ from: wanted ?? months[0] ?? '', isSame: wanted !== undefined, draft: draftOf(latest?.terms) },
    ...{ deadline: null, noAnswer: 'keep' },
  });
  const [settled] = useDebouncedValue(asked, settleMillis);
  const body = bodyOf(settled);
  const preview = useChangePreview(policy.id, body);
  const start = useStartChange(policy.id);
  const { show, dialog } = useDialog();
  const { data } = preview;
  const isCurrent = settled === asked && !preview.isPlaceholderData && preview.error === null;
  const begin = () =>
    body !== undefined &&
    data !== undefined &&
    show((state) => (
      <ConfirmChange
        {...state}
        title={t('begin')}
        confirmLabel={t('begin')}
        change={start}
        input={{ ...body, confirm: data.affected }}
        done={t('begun')}
        onDone={({ id }) => void navigate(`/policies/changes/${id}`)}
        onFailed={() => void preview.refetch()}
      >
        <Stack gap="sm">
          <Effects preview={data} />
          <Text>{t('beginText', { day: formats.longDate(data.deadline) })}</Text>
        </Stack>
      </ConfirmChange>
    ));
  return (
    <>
      <Section title={policy.name}>
        <Fields
          asked={asked}
          months={months}
          usual={asked.deadline === null ? data?.deadline : undefined}
          onChange={(changed) => setAsked({ ...asked, ...changed })}
        />
      </Section>
      <ProblemAlert error={preview.error} />
      {body !== undefined && data === undefined && preview.error === null && <Skeleton height={120} />}
      {body !== undefined && data !== undefined && preview.error === null && (
        <>
          <Section title={t('preview')} aside={<Action onClick={begin} disabled={!isCurrent} label={t('begin')} />}>
            <Stack>
              <Effects preview={data} />
              {!data.isMailConfigured && data.affected > 0 && <Notice color="yellow" text={t('noMail')} />}
              {data.affected > 0 && <Costs {...data} />}
            </Stack>
          </Section>
          {data.affected > 0 && <Affected {...data} />}
        </>
      )}
      {dialog}
    </>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const { t: shared } = useReader();
  const id = Number(useParams().id);
  const policies = usePolicies();
  const policy = policies.data?.policies.find((one) => one.id === id);
  return (
    <RoleGate ability="policies">
      <Page
        title={policy ? t('changeTitle', { name: policy.name }) : t('change')}
        description={t('changeHint')}
        parents={[{ title: t('title'), to: '/policies' }]}
      >
        <Query of={policies} rows={6}>
          {() =>
            policy ? (
              <Change policy={policy} />
            ) : (
              <EmptyState inCard title={shared('notFoundTitle')} hint={shared('notFoundHint')} />
            )
          }
        </Query>
      </Page>
    </RoleGate>
  );
}
