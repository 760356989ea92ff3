import { Badge, Group, Progress, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { ChangeView, Policies, PolicyView } from '../../../../src/features/policies/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, ActionMenu, MenuAction, Notice, SmallAction } from '../../ui/Action.tsx';
import { type Show, useDialog } from '../../ui/Dialog.tsx';
import { IconArrowDown, IconArrowUp, IconEdit, IconPlus, IconReceiptEuro } from '../../ui/icons.gen.ts';
import { Page, Section } from '../../ui/layout.tsx';
import { Query, RoleGate } from '../../ui/Query.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { Hint, Small } from '../../ui/text.tsx';
import { useOrderPolicies, usePolicies } from './api.ts';
import { useTermsText } from './terms-text.ts';
import { texts } from './texts.ts';

/** Loaded when one is opened: their fields are not needed to read the list. */
const load = () => import('./dialogs.tsx');
const CreatePolicy = lazy(async () => ({ default: (await load()).CreatePolicy }));
const EditPolicy = lazy(async () => ({ default: (await load()).EditPolicy }));

export const changeAddress = (id: number, month?: string) =>
  `/policies/${id}/change${month === undefined ? '' : `?from=${month}`}`;

interface ActionsProps {
  policy: PolicyView;
  /** All but the default, in their order. */
  order: readonly number[];
  show: Show;
}

function PolicyActions({ policy, order, show }: ActionsProps) {
  const { t } = useReader(texts);
  const { mutate } = useOrderPolicies();
  const { id, name } = policy;
  const index = order.indexOf(id);
  const moveTo = (to: number) => {
    const others = order.filter((one) => one !== id);
    mutate({ ids: [...others.slice(0, to), id, ...others.slice(to)] });
  };
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <SmallAction to={changeAddress(id)} label={t('change')} aria-label={t('changeOf', { name })} />
      <ActionMenu label={t('actionsOf', { name })}>
        <MenuAction
          icon={IconEdit}
          label={t('edit')}
          onClick={() => show((dialog) => <EditPolicy {...dialog} policy={policy} />)}
        />
        {index > 0 && <MenuAction icon={IconArrowUp} label={t('moveUp')} onClick={() => moveTo(index - 1)} />}
        {index >= 0 && index < order.length - 1 && (
          <MenuAction icon={IconArrowDown} label={t('moveDown')} onClick={() => moveTo(index + 1)} />
        )}
      </ActionMenu>
    </Group>
  );
}

/** Says what a policy means now, and what it will mean. */
function Says({ policy: { current, coming } }: { policy: PolicyView }) {
  const { t, formats } = useReader(texts);
  const inWords = useTermsText();
  return (
    <>
      <Text>{current === null ? t('notYet') : inWords(current.terms)}</Text>
      {current !== null && (
        <Small className="figures">
          {t('ofEmployee', { amount: formats.money(current.employeeAmount.value) })} ·{' '}
          {t('ofCompany', { amount: formats.money(current.companyAmount.value) })}
        </Small>
      )}
      {coming !== null && (
        <Small>{t('coming', { month: formats.month(coming.from), terms: inWords(coming.terms) })}</Small>
      )}
    </>
  );
}

function PolicyList({ policies, show }: { policies: readonly PolicyView[]; show: Show }) {
  const { t, formats } = useReader(texts);
  const order = policies.filter(({ isDefault }) => !isDefault).map(({ id }) => id);
  const columns: Column<PolicyView>[] = [
    {
      header: t('policy'),
      render: (policy) => (
        <>
          <Group gap="xs">
            <Text fw={600}>{policy.name}</Text>
            {policy.isDefault && <Badge color="gray">{t('isDefault')}</Badge>}
          </Group>
          {!policy.isDefault && <Small>{policy.groups.join(', ') || t('noGroups')}</Small>}
          <Stack gap={0} hiddenFrom="sm">
            <Says policy={policy} />
          </Stack>
        </>
      ),
    },
    { header: t('share'), wideOnly: true, render: (policy) => <Says policy={policy} /> },
    {
      header: t('employees'),
      align: 'right',
      wideOnly: true,
      render: ({ employees, subscribed }) => (
        <>
          <Text className="figures">{formats.number(employees)}</Text>
          <Small>{t('subscribed', { count: formats.number(subscribed) })}</Small>
        </>
      ),
    },
    {
      header: t('actions'),
      isHeaderHidden: true,
      align: 'right',
      render: (policy) => <PolicyActions {...{ policy, order, show }} />,
    },
  ];
  return (
    <Section title={t('policies')} flush>
      <Rows label={t('policies')} rows={policies} rowKey={({ id }) => id} columns={columns} isQuiet />
    </Section>
  );
}

/** Says what the next ticket price means for each policy, and offers a change where shares depend on the price. */
function ComingPrice({ comingPrice, policies, changes }: Policies) {
  const { t, formats } = useReader(texts);
  if (comingPrice === null) return null;
  const { from, price } = comingPrice;
  const named = (ids: readonly number[]) => policies.filter(({ id }) => ids.includes(id));
  const namesOf = (some: readonly PolicyView[]) => some.map(({ name }) => name).join(', ');
  const isBegun = ({ id }: PolicyView) => changes.some((change) => change.policy.id === id && change.from === from);
  const [deferred, dependent] = [named(comingPrice.deferred), named(comingPrice.policies)];
  return (
    <Notice
      color="blue"
      icon={<IconReceiptEuro size={18} aria-hidden />}
      title={t('priceTitle', { month: formats.month(from), price: formats.money(price.value) })}
      text={
        <Stack gap="xs">
          {deferred.length > 0 && <Text>{t('priceDeferred', { names: namesOf(deferred) })}</Text>}
          {dependent.length > 0 && <Text>{t('priceDependent', { names: namesOf(dependent) })}</Text>}
          <Group gap="xs">
            {dependent
              .filter((policy) => !isBegun(policy))
              .map(({ id, name }) => (
                <SmallAction key={id} to={changeAddress(id, from)} label={t('priceChange', { name })} />
              ))}
          </Group>
        </Stack>
      }
    />
  );
}

/** Returns how many have agreed. Who has changed without having to agree does not count. */
export const agreedIn = ({ counts, mustAgree, employees, isOver }: ChangeView) =>
  isOver ? Math.max(0, counts.changed - (employees - mustAgree)) : counts.accepted;

function ChangeList({ changes }: { changes: readonly ChangeView[] }) {
  const { t, formats } = useReader(texts);
  const columns: Column<ChangeView>[] = [
    {
      header: t('policy'),
      render: ({ id, policy, from }) => (
        <Link to={`/policies/changes/${id}`}>
          {t('campaignTitle', { name: policy.name, month: formats.month(from) })}
        </Link>
      ),
    },
    {
      header: t('progress'),
      render: (change) => {
        const { mustAgree } = change;
        if (mustAgree === 0) return t('noneMustAgree');
        const label = t('agreedOf', { agreed: agreedIn(change), total: mustAgree });
        return (
          <Stack gap={4}>
            <Text>{label}</Text>
            <Progress value={(100 * agreedIn(change)) / mustAgree} aria-label={label} w={140} />
          </Stack>
        );
      },
    },
    { header: t('employees'), align: 'right', wideOnly: true, render: ({ employees }) => formats.number(employees) },
    {
      header: t('deadline'),
      wideOnly: true,
      render: ({ deadline, isOver }) =>
        isOver ? t('over') : <span className="figures">{deadline === null ? '–' : formats.date(deadline)}</span>,
    },
  ];
  return (
    <Section title={t('changes')} flush={changes.length > 0}>
      {changes.length === 0 ? (
        <Hint>
          {t('noChanges')}. {t('noChangesHint')}
        </Hint>
      ) : (
        <Rows label={t('changes')} rows={changes} rowKey={({ id }) => id} columns={columns} isQuiet />
      )}
    </Section>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const { show, dialog } = useDialog();
  const create = () => show((state) => <CreatePolicy {...state} />);
  return (
    <RoleGate ability="policies">
      <Page
        title={t('title')}
        description={t('description')}
        actions={<Action icon={IconPlus} onClick={create} label={t('create')} />}
      >
        <Query of={usePolicies()} rows={6}>
          {(found) => (
            <>
              <ComingPrice {...found} />
              <PolicyList policies={found.policies} show={show} />
              <ChangeList changes={found.changes} />
            </>
          )}
        </Query>
        <Suspense>{dialog}</Suspense>
      </Page>
    </RoleGate>
  );
}
