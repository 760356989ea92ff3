import { Badge, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type InvitationState, invitationStates } from '../../../../src/domain/enums.ts';
import type { CompanySettings, SettingsBody } from '../../../../src/features/companies/contract.ts';
import type { Campaign, Invitation, Selection } from '../../../../src/features/joining/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { usePost } from '../../app/api/queries.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, SmallAction } from '../../ui/Action.tsx';
import { ConfirmChange } from '../../ui/Dialog.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { IconMailOpened, IconPrinter, IconSend, IconUserPlus } from '../../ui/icons.gen.ts';
import { Page, Section, Stat } from '../../ui/layout.tsx';
import { useListState } from '../../ui/list-state.ts';
import { EmptyState, Query, RoleGate } from '../../ui/Query.tsx';
import type { Column } from '../../ui/rows.tsx';
import { DataTable, FilterCard, WordsFilter } from '../../ui/table.tsx';
import { DateText, EmployeeLink, Hint, Small, TimeText } from '../../ui/text.tsx';
import { useEmployeeSelection, useSelectColumn } from '../contracts/selection.tsx';
import { useCampaign, useInvitations, usePrintInvitations, useRemind } from './api.ts';
import { texts } from './texts.ts';

const InviteModal = lazy(async () => ({ default: (await import('./InviteModal.tsx')).InviteModal }));
const LettersModal = lazy(async () => ({ default: (await import('../../ui/letters/LettersModal.tsx')).LettersModal }));

const colours: Record<InvitationState, string> = {
  invited: 'blue',
  opened: 'violet',
  joined: 'teal',
  declined: 'gray',
  unreachable: 'orange',
};

function useStates(): Record<InvitationState, string> {
  const { t } = useReader(texts);
  return {
    invited: t('stateInvited'),
    opened: t('stateOpened'),
    joined: t('stateJoined'),
    declined: t('stateDeclined'),
    unreachable: t('stateUnreachable'),
  };
}

/** Stands above everything while the roster alone decides: nobody can join yet. */
function JoiningIsOff() {
  const { t } = useReader(texts);
  const mayAllow = useAbility('settings');
  const [isOpen, setOpen] = useState(false);
  const allow = usePost<CompanySettings, SettingsBody>('/settings', ['settings', 'joining', 'overview', 'activity']);
  return (
    <>
      <EmptyState
        inCard
        icon={IconUserPlus}
        title={t('offTitle')}
        hint={t(mayAllow ? 'offHint' : 'offAskAdmin')}
        actions={mayAllow && <Action onClick={() => setOpen(true)} label={t('allow')} />}
      />
      {isOpen && (
        <ConfirmChange
          onClose={() => setOpen(false)}
          title={t('allow')}
          confirmLabel={t('allow')}
          change={allow}
          input={{ joining: 'both' }}
          done={t('allowed')}
        >
          {t('allowText')}
        </ConfirmChange>
      )}
    </>
  );
}

/** Prints letters to the selected employees, or to everybody without a subscription. */
function JoiningLetters({ selection, onClose }: { selection: Selection; onClose(): void }) {
  const { t } = useReader(texts);
  return (
    <LettersModal
      selection={selection}
      print={usePrintInvitations()}
      text={t('lettersText')}
      nobody={t('lettersNobody')}
      onClose={onClose}
    />
  );
}

interface CampaignProps {
  campaign: Campaign;
  onInvite(): void;
  onPrint(): void;
}

/** Says who has no invitation yet, and what the company offers. */
function Uninvited({ campaign: { uninvited, offer, inviteAutomatically }, onInvite, onPrint }: CampaignProps) {
  const { t, words, formats } = useReader(texts);
  const money = (amount: { value: number }) => formats.money(amount.value);
  return (
    <Section title={uninvited === 0 ? t('nobodyUninvited') : t('uninvited', { count: uninvited })}>
      <Group justify="space-between" gap="md">
        <Stack gap={4} flex="1 1 320px">
          <Text>
            {t('offer', {
              plan: words.plan[offer.planType],
              company: money(offer.companyAmount),
              employee: money(offer.employeeAmount),
            })}
          </Text>
          <Hint>{t(inviteAutomatically ? 'automatic' : 'byHand')}</Hint>
        </Stack>
        <Group gap="xs">
          <Action variant="default" icon={IconPrinter} onClick={onPrint} label={t('printLetters')} />
          {uninvited > 0 && <Action icon={IconSend} onClick={onInvite} label={t('inviteAll')} />}
        </Group>
      </Group>
    </Section>
  );
}

function Counts({ counts }: { counts: Campaign['counts'] }) {
  const { t, formats } = useReader(texts);
  const states = useStates();
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
      {invitationStates.map((state) => (
        <Stat key={state} label={states[state]} value={formats.number(counts[state])} hint={t(`${state}Hint`)} />
      ))}
    </SimpleGrid>
  );
}

/** Says what became of an invitation last. */
function LastStep({ of }: { of: Invitation }) {
  const { t, formats } = useReader(texts);
  const { state, remindedOn, letteredAt, isExpired } = of;
  const isOpen = state !== 'joined' && state !== 'declined';
  return (
    <>
      {isOpen && remindedOn && <Small>{t('remindedOn', { day: formats.date(remindedOn) })}</Small>}
      {isOpen && letteredAt && <Small>{t('letteredOn', { day: formats.date(letteredAt.slice(0, 10)) })}</Small>}
      {isOpen && isExpired && <Small>{t('expired')}</Small>}
    </>
  );
}

function useColumns(): Column<Invitation>[] {
  const { t } = useReader(texts);
  const states = useStates();
  return [
    {
      header: t('name'),
      sort: 'name',
      render: ({ employeeId, ...person }) => <EmployeeLink id={employeeId} {...person} />,
    },
    {
      header: t('state'),
      render: (invitation) => (
        <Stack gap={2} align="flex-start">
          <Badge color={colours[invitation.state]} miw="max-content">
            {states[invitation.state]}
          </Badge>
          <LastStep of={invitation} />
        </Stack>
      ),
    },
    {
      header: t('invitedAt'),
      sort: 'invitedAt',
      render: ({ invitedAt }) => <TimeText at={invitedAt} exact />,
      wideOnly: true,
    },
    { header: t('openedAt'), render: ({ openedAt }) => <TimeText at={openedAt} exact />, wideOnly: true },
    {
      header: t('answeredAt'),
      render: ({ joinedAt, declinedAt }) => <TimeText at={joinedAt ?? declinedAt} exact />,
      wideOnly: true,
    },
    { header: t('validUntil'), render: ({ validUntil }) => <DateText date={validUntil} />, wideOnly: true },
  ];
}

interface BarProps {
  selected: ReturnType<typeof useEmployeeSelection>;
  total: number;
  onInvite(selection: Selection): void;
  onPrint(selection: Selection): void;
}

/** What users do with the selected invitations. It stays at the lower edge of the window. */
function JoiningBar({ selected, total, onInvite, onPrint }: BarProps) {
  const { t } = useReader(texts);
  const remind = useRemind();
  const [isReminding, setReminding] = useState(false);
  const { count, isAll } = selected;
  const selection = selected.selection as Selection;
  return (
    <>
      {count > 0 && (
        <Card padding="sm" role="region" aria-label={t('select')} className="selection-bar" shadow="md">
          <Group gap="xs">
            <Text fw={600} role="status">
              {t('selected', { count })}
            </Text>
            {!isAll && total > count && (
              <SmallAction variant="subtle" onClick={selected.selectAll} label={t('selectAll', { count: total })} />
            )}
            <SmallAction variant="subtle" onClick={selected.clear} label={t('clear')} />
            <Group gap="xs" ml="auto">
              <SmallAction onClick={() => onPrint(selection)} label={t('printLetters')} />
              <SmallAction onClick={() => onInvite(selection)} label={t('inviteAgain')} />
              <SmallAction variant="filled" onClick={() => setReminding(true)} label={t('remind')} />
            </Group>
          </Group>
        </Card>
      )}
      {isReminding && (
        <ConfirmChange
          onClose={() => setReminding(false)}
          title={t('remind')}
          confirmLabel={t('remind')}
          change={remind}
          input={selection}
          done={({ reminded }) => (reminded === 0 ? t('nobodyReminded') : t('reminded', { count: reminded }))}
          onDone={selected.clear}
        >
          {t('remindText')}
        </ConfirmChange>
      )}
    </>
  );
}

type ListProps = Pick<BarProps, 'onInvite' | 'onPrint'>;

function Invitations(actions: ListProps) {
  const { t } = useReader(texts);
  const list = useListState();
  const states = list.words('states', invitationStates);
  const search = list.text('search').slice(0, 500);
  const { page, perPage } = list;
  const sortField = list.sortField === 'invitedAt' ? 'invitedAt' : 'name';
  const sortOrder = list.sortOrder === 'desc' ? 'desc' : 'asc';
  const invitations = useInvitations({ page, perPage, sortField, sortOrder, search, states });
  const { data } = invitations;
  const filter = { search, invitationStates: states.length > 0 ? states : invitationStates };
  const selected = useEmployeeSelection(filter, data?.total ?? 0);
  const selectColumn = useSelectColumn<Invitation>(selected, data?.data ?? [], ({ employeeId }) => employeeId);
  const columns = useColumns();
  return (
    <>
      <FilterCard
        list={list}
        label={t('invitations')}
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
          values={invitationStates}
          names={useStates()}
          label={t('state')}
          all={t('all')}
        />
      </FilterCard>
      <JoiningBar selected={selected} total={data?.total ?? 0} {...actions} />
      <DataTable
        label={t('invitations')}
        columns={[selectColumn, ...columns]}
        query={invitations}
        list={list}
        rowKey={({ employeeId }) => employeeId}
        empty={<EmptyState icon={IconMailOpened} title={t('emptyTitle')} hint={t('emptyHint')} />}
      />
    </>
  );
}

/** Opens the preview of an invitation to everybody, if the address asks for it. */
const isAsked = (params: URLSearchParams) => params.get('invite') === 'all';

function Joining({ campaign }: { campaign: Campaign }) {
  const [params, setParams] = useSearchParams();
  const isOff = campaign.joining === 'roster';
  const [inviting, setInviting] = useState<Selection | undefined>(isAsked(params) && !isOff ? {} : undefined);
  const [printing, setPrinting] = useState<Selection>();
  const sum = Object.values(campaign.counts).reduce((total, count) => total + count, 0);
  const close = () => {
    setInviting(undefined);
    if (isAsked(params)) setParams({}, { replace: true });
  };
  return (
    <>
      {isOff ? (
        <JoiningIsOff />
      ) : (
        <Uninvited campaign={campaign} onInvite={() => setInviting({})} onPrint={() => setPrinting({})} />
      )}
      {(!isOff || sum > 0) && (
        <>
          <Counts counts={campaign.counts} />
          <Invitations onInvite={setInviting} onPrint={setPrinting} />
        </>
      )}
      <Suspense>
        {printing !== undefined && <JoiningLetters selection={printing} onClose={() => setPrinting(undefined)} />}
        {inviting !== undefined && <InviteModal selection={inviting} onClose={close} />}
      </Suspense>
    </>
  );
}

export function Component() {
  const { t } = useReader(texts);
  return (
    <RoleGate ability="decisions">
      <Page title={t('title')} description={t('description')}>
        <Query of={useCampaign()}>{(campaign) => <Joining campaign={campaign} />}</Query>
      </Page>
    </RoleGate>
  );
}
