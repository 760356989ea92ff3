import { Badge, SimpleGrid, Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { type PlanChangeState, planChangeStates } from '../../../../src/domain/choices.ts';
import type { Affected, ChangeDetails, ChangeView } from '../../../../src/features/policies/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, Notice } from '../../ui/Action.tsx';
import { ConfirmChange, useDialog } from '../../ui/Dialog.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { IconBell, IconSignature } from '../../ui/icons.gen.ts';
import { Page, Stat } from '../../ui/layout.tsx';
import { useListState } from '../../ui/list-state.ts';
import { EmptyState, Query, RoleGate } from '../../ui/Query.tsx';
import type { Column } from '../../ui/rows.tsx';
import { DataTable, FilterCard, WordsFilter } from '../../ui/table.tsx';
import { EmployeeLink, Hint, MoneyText, Small } from '../../ui/text.tsx';
import { useAffected, useChangeDetails, useRemindUndecided } from './api.ts';
import { texts } from './texts.ts';

const colours: Record<PlanChangeState, string> = {
  ...{ pending: 'orange', accepted: 'teal', rejected: 'gray', announced: 'blue', changed: 'teal' },
  ...{ kept: 'gray', paused: 'yellow', cancelled: 'red', ended: 'gray' },
};

function useStates() {
  const { t } = useReader(texts);
  return Object.fromEntries(planChangeStates.map((state) => [state, t(state)])) as Record<PlanChangeState, string>;
}

/** Those that matter while employees can agree are shown even if nobody is in them. */
const alwaysShown: readonly PlanChangeState[] = ['accepted', 'pending', 'rejected'];

function Counts({ counts, mustAgree, isSettled }: ChangeView) {
  const { formats } = useReader(texts);
  const states = useStates();
  const isAlways = (state: PlanChangeState) => !isSettled && mustAgree > 0 && alwaysShown.includes(state);
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      {planChangeStates
        .filter((state) => counts[state] > 0 || isAlways(state))
        .map((state) => (
          <Stat key={state} label={states[state]} value={formats.number(counts[state])} />
        ))}
    </SimpleGrid>
  );
}

/** Says until when employees can agree, and what happens to those who do not. */
function Terms({ change, remindersOn, isMailConfigured }: ChangeDetails) {
  const { t, formats } = useReader(texts);
  const { deadline, noAnswer, mustAgree, isSettled } = change;
  if (mustAgree === 0 || deadline === null) return <Text>{t('noneAgree')}</Text>;
  const values = { day: formats.longDate(deadline), effect: t(noAnswer) };
  return (
    <div>
      <Text fw={600}>{t(isSettled ? 'campaignSettled' : 'campaignOpen', values)}</Text>
      {isMailConfigured && remindersOn.length > 0 && (
        <Hint>{t('remindersOn', { days: remindersOn.map(formats.date).join(', ') })}</Hint>
      )}
    </div>
  );
}

function useColumns(): Column<Affected>[] {
  const { t, formats } = useReader(texts);
  const states = useStates();
  return [
    {
      header: t('person'),
      sort: 'name',
      render: ({ employeeId, ...person }) => <EmployeeLink id={employeeId} {...person} />,
    },
    {
      header: t('state'),
      render: ({ state, remindedOn }) => (
        <Stack gap={2} align="flex-start">
          <Badge color={colours[state]} miw="max-content">
            {states[state]}
          </Badge>
          {state === 'pending' && remindedOn !== null && (
            <Small>{t('remindedOn', { day: formats.date(remindedOn) })}</Small>
          )}
        </Stack>
      ),
    },
    { header: t('before'), align: 'right', wideOnly: true, render: ({ before }) => <MoneyText money={before} /> },
    { header: t('after'), align: 'right', render: ({ after }) => <MoneyText money={after} strong /> },
  ];
}

function People({ id }: { id: number }) {
  const { t } = useReader(texts);
  const list = useListState();
  const states = list.words('states', planChangeStates);
  const search = list.text('search').slice(0, 500);
  const { page, perPage } = list;
  const sortOrder = list.sortOrder === 'desc' ? 'desc' : 'asc';
  const people = useAffected(id, { page, perPage, sortField: 'name', sortOrder, search, states });
  return (
    <>
      <FilterCard
        list={list}
        label={t('people')}
        search={
          <SearchField
            label={t('search')}
            placeholder={t('searchHint')}
            value={search}
            onSearch={(text) => list.set({ search: text })}
          />
        }
      >
        <WordsFilter
          list={list}
          name="states"
          values={planChangeStates}
          names={useStates()}
          label={t('state')}
          all={t('all')}
        />
      </FilterCard>
      <DataTable
        label={t('people')}
        columns={useColumns()}
        query={people}
        list={list}
        rowKey={({ employeeId }) => employeeId}
        empty={<EmptyState title={t('nobodyAffected')} />}
      />
    </>
  );
}

function Campaign({ details }: { details: ChangeDetails }) {
  const { t } = useReader(texts);
  const { change, isMailConfigured } = details;
  return (
    <>
      <Terms {...details} />
      {!isMailConfigured && change.employees > 0 && <Notice color="yellow" text={t('noMail')} />}
      <Counts {...change} />
      <People id={change.id} />
    </>
  );
}

export function Component() {
  const { t, formats } = useReader(texts);
  const id = Number(useParams().id);
  const query = useChangeDetails(id);
  const remind = useRemindUndecided(id);
  const { show, dialog } = useDialog();
  const change = query.data?.change;
  const parent = { title: t('title'), to: '/policies' };
  const isOpen = change !== undefined && !change.isSettled && change.counts.pending > 0;
  const ask = () =>
    show((state) => (
      <ConfirmChange
        {...state}
        title={t('remind')}
        confirmLabel={t('remind')}
        change={remind}
        input={undefined}
        done={({ reminded }) => (reminded === 0 ? t('nobodyReminded') : t('reminded', { count: reminded }))}
      >
        {t('remindText')}
      </ConfirmChange>
    ));
  return (
    <RoleGate ability="policies">
      <Page
        title={
          change ? t('campaignTitle', { name: change.policy.name, month: formats.month(change.from) }) : t('changes')
        }
        parents={[parent]}
        actions={
          isOpen && (
            <>
              <Action variant="default" icon={IconSignature} to="/agreements?states=open" label={t('toAgreements')} />
              {query.data?.isMailConfigured && <Action icon={IconBell} onClick={ask} label={t('remind')} />}
            </>
          )
        }
      >
        <Query of={query} parent={parent}>
          {(details) => <Campaign details={details} />}
        </Query>
        {dialog}
      </Page>
    </RoleGate>
  );
}
