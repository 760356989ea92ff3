import { Anchor, Group } from '@mantine/core';
import { Link } from 'react-router';
import type { Proposal, Proposals } from '../../../../src/features/corrections/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, SmallAction } from '../../ui/Action.tsx';
import { ConfirmChange, useDialog } from '../../ui/Dialog.tsx';
import { IconReceiptRefund } from '../../ui/icons.gen.ts';
import { Page, Section } from '../../ui/layout.tsx';
import { EmptyState, Query } from '../../ui/Query.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { Hint, MoneyText, Small } from '../../ui/text.tsx';
import { useKeep, useProposals } from './api.ts';
import { CorrectModal } from './CorrectModal.tsx';
import { texts } from './texts.ts';

type Show = ReturnType<typeof useDialog>['show'];

function useName() {
  const { t } = useReader(texts);
  return ({ item: { charge } }: Proposal) => {
    const { firstName = null, lastName = null, hrId = null } = charge.employee?.profile ?? {};
    return [firstName, lastName].filter((part) => part !== null).join(' ') || hrId || t('removed');
  };
}

const reasonOf = ({ cause }: Proposal) => (cause === 'termination' ? 'left' : 'absent');

function ProposalActions({ proposal, show }: { proposal: Proposal; show: Show }) {
  const { t } = useReader(texts);
  const name = useName()(proposal);
  const keep = useKeep();
  const { id } = proposal.item;
  const about = { id: String(id), name };
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <SmallAction
        label={t('reverse')}
        aria-label={t('reverseOf', about)}
        onClick={() =>
          show((dialog) => <CorrectModal {...dialog} choice={{ items: [id] }} initialReason={reasonOf(proposal)} />)
        }
      />
      <SmallAction
        label={t('keep')}
        aria-label={t('keepOf', about)}
        onClick={() =>
          show((dialog) => (
            <ConfirmChange
              {...dialog}
              title={t('keepOf', about)}
              confirmLabel={t('keep')}
              change={keep}
              input={{ items: [id] }}
              done={t('keepDone')}
            >
              {t('keepText')}
            </ConfirmChange>
          ))
        }
      />
    </Group>
  );
}

function ProposalList({ total, proposals }: Proposals) {
  const { t, formats } = useReader(texts);
  const mayCorrect = useAbility('corrections');
  const nameOf = useName();
  const { show, dialog } = useDialog();
  const [first] = proposals;
  const columns: Column<Proposal>[] = [
    {
      header: t('employee'),
      render: (proposal) => {
        const id = proposal.item.charge.employee?.profile.id ?? null;
        const name = nameOf(proposal);
        return (
          <>
            {id === null ? (
              name
            ) : (
              <Anchor component={Link} to={`/employees/${id}`}>
                {name}
              </Anchor>
            )}
            <Small hiddenFrom="sm">
              {formats.month(proposal.item.billing.period)} · {t(proposal.cause)}
            </Small>
          </>
        );
      },
    },
    { header: t('month'), wideOnly: true, render: ({ item }) => formats.month(item.billing.period) },
    { header: t('cause'), wideOnly: true, render: ({ cause }) => t(cause) },
    { header: t('gross'), align: 'right', render: ({ item }) => <MoneyText money={item.billing.overall} strong /> },
    ...(mayCorrect
      ? [
          {
            header: t('actions'),
            isHeaderHidden: true,
            align: 'right' as const,
            render: (proposal: Proposal) => <ProposalActions proposal={proposal} show={show} />,
          },
        ]
      : []),
  ];
  const reverseAll = (
    <SmallAction
      label={t('reverseAll')}
      onClick={() =>
        show((dialog) => (
          <CorrectModal
            {...dialog}
            choice={{ items: proposals.map(({ item }) => item.id) }}
            initialReason={first ? reasonOf(first) : 'left'}
          />
        ))
      }
    />
  );
  return (
    <Section title={t('proposals')} aside={mayCorrect && proposals.length > 1 && reverseAll} flush>
      {total > proposals.length && (
        <Hint p="md">{t('more', { total: formats.number(total), shown: formats.number(proposals.length) })}</Hint>
      )}
      <Rows label={t('proposals')} rows={proposals} rowKey={({ item }) => item.id} columns={columns} isQuiet />
      {dialog}
    </Section>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const actions = <Action to="/billing" variant="light" label={t('toBilling')} />;
  return (
    <Page title={t('title')} description={t('description')} parents={[{ title: t('billing'), to: '/billing' }]}>
      <Query of={useProposals()} rows={6}>
        {(found) =>
          found.proposals.length === 0 ? (
            <EmptyState icon={IconReceiptRefund} title={t('noneTitle')} hint={t('noneHint')} actions={actions} inCard />
          ) : (
            <ProposalList {...found} />
          )
        }
      </Query>
    </Page>
  );
}
