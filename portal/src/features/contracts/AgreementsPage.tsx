import { Badge, Card, Group, Progress, Stack, Text } from '@mantine/core';
import { type AgreementState, agreementStates } from '../../../../src/domain/choices.ts';
import type { Agreement, AgreementsPage } from '../../../../src/features/contracts/contract.ts';
import { at, pathTo } from '../../app/api/request.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { FileIcon } from '../../ui/Action.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { IconEye, IconSignature } from '../../ui/icons.gen.ts';
import { Page } from '../../ui/layout.tsx';
import { useListState } from '../../ui/list-state.ts';
import { EmptyState, RoleGate } from '../../ui/Query.tsx';
import type { Column } from '../../ui/rows.tsx';
import { DataTable, FilterCard, WordsFilter } from '../../ui/table.tsx';
import { EmployeeLink, Hint, Small, TimeText } from '../../ui/text.tsx';
import { useAgreements } from './api.ts';
import { ContractBar } from './ContractBar.tsx';
import { useEmployeeSelection, useSelectColumn } from './selection.tsx';
import { texts } from './texts.ts';

const colours: Record<AgreementState, string> = {
  open: 'orange',
  'link-expired': 'yellow',
  signed: 'teal',
  recorded: 'teal',
  rejected: 'red',
};

function useStates(): Record<AgreementState, string> {
  const { t } = useReader(texts);
  return {
    open: t('open'),
    'link-expired': t('link-expired'),
    signed: t('signed'),
    recorded: t('recorded'),
    rejected: t('rejectedState'),
  };
}

const unknown = { total: 0, accepted: 0, open: 0, rejected: 0 };

/** While it is being loaded, it only takes its place, so that the list does not move. */
function SignedOf({ progress }: { progress: AgreementsPage['data']['progress'] | undefined }) {
  const { t, formats } = useReader(texts);
  const { total, accepted, open, rejected } = progress ?? unknown;
  const text = t('signedOf', { accepted: formats.number(accepted), total: formats.number(total) });
  return (
    <Card padding="md" className="bare-on-phones" style={progress ? {} : { visibility: 'hidden' }}>
      <Group justify="space-between" gap="0 8px" mb={4}>
        <Text fw={600}>{text}</Text>
        <Hint>{t('others', { open: formats.number(open), rejected: formats.number(rejected) })}</Hint>
      </Group>
      <Progress value={(100 * accepted) / Math.max(1, total)} color="teal" aria-label={text} />
    </Card>
  );
}

/** Says how an agreement was decided, and who recorded it. */
function Decision({ of: { given, givenOn, by } }: { of: NonNullable<Agreement['decision']> }) {
  const { t, words, formats } = useReader(texts);
  if (by.type === 'employee') return <Small>{t('byEmployee')}</Small>;
  const name = by.name ?? t(by.type === 'operator' ? 'operator' : 'service');
  return (
    <Small>
      {given && `${words.consentWay[given]}${givenOn ? `, ${formats.date(givenOn)}` : ''}; `}
      {t('byOther', { name })}
    </Small>
  );
}

function useColumns(): Column<Agreement>[] {
  const { t, formats } = useReader(texts);
  const states = useStates();
  return [
    {
      header: t('name'),
      sort: 'name',
      render: ({ employeeId, ...person }) => <EmployeeLink id={employeeId} {...person} />,
    },
    {
      header: t('state'),
      render: ({ state, sentAt, remindedOn }) => (
        <Stack gap={2} align="flex-start">
          <Badge color={colours[state]} miw="max-content">
            {states[state]}
          </Badge>
          {state === 'open' && sentAt === null && <Small>{t('notSent')}</Small>}
          {state === 'open' && remindedOn && <Small>{t('remindedOn', { day: formats.date(remindedOn) })}</Small>}
        </Stack>
      ),
    },
    {
      header: t('sent'),
      sort: 'sentAt',
      render: ({ sentAt }) => <TimeText at={sentAt} exact isRealTime />,
      wideOnly: true,
    },
    { header: t('opened'), render: ({ openedAt }) => <TimeText at={openedAt} exact isRealTime />, wideOnly: true },
    {
      header: t('decided'),
      render: ({ decision }) =>
        decision ? (
          <>
            <TimeText at={decision.at} exact />
            <Decision of={decision} />
          </>
        ) : (
          '–'
        ),
      wideOnly: true,
    },
    {
      header: t('preview'),
      isHeaderHidden: true,
      align: 'right',
      render: ({ employeeId, firstName, lastName, state }) =>
        (state === 'open' || state === 'link-expired') && (
          <FileIcon
            label={t('preview')}
            name={`${firstName} ${lastName}`}
            href={pathTo(at`/agreements/${employeeId}/preview`)}
            icon={IconEye}
            isPreview
          />
        ),
    },
  ];
}

function Agreements() {
  const { t } = useReader(texts);
  const list = useListState();
  const states = list.words('states', agreementStates);
  const search = list.text('search').slice(0, 500);
  const sortField = list.sortField === 'sentAt' ? 'sentAt' : 'name';
  const { page, perPage } = list;
  const sortOrder = list.sortOrder === 'desc' ? 'desc' : 'asc';
  const agreements = useAgreements({ page, perPage, sortField, sortOrder, search, states });
  const { data, error } = agreements;
  // Without a filter, all that have an agreement are selected, not all employees.
  const filter = { search, agreementStates: states.length > 0 ? states : agreementStates };
  const selected = useEmployeeSelection(filter, data?.total ?? 0);
  const selectColumn = useSelectColumn<Agreement>(selected, data?.data ?? [], ({ employeeId }) => employeeId);
  const columns = useColumns();
  return (
    <>
      {data?.progress.total !== 0 && !error && <SignedOf progress={data?.progress} />}
      <FilterCard
        list={list}
        label={t('title')}
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
          values={agreementStates}
          names={useStates()}
          label={t('state')}
          all={t('all')}
        />
      </FilterCard>
      <ContractBar selected={selected} total={data?.total ?? 0} of="agreements" />
      <DataTable
        label={t('title')}
        columns={[selectColumn, ...columns]}
        query={agreements}
        list={list}
        rowKey={({ employeeId }) => employeeId}
        empty={<EmptyState icon={IconSignature} title={t('emptyTitle')} hint={t('emptyHint')} />}
      />
    </>
  );
}

export function Component() {
  const { t } = useReader(texts);
  return (
    <RoleGate ability="decisions">
      <Page title={t('title')} description={t('description')}>
        <Agreements />
      </Page>
    </RoleGate>
  );
}
