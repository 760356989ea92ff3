import { Anchor, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconBrandApple, IconBrandGoogle, IconQrcode } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import type { Employee, EmployeeDetails } from '../../../../../src/features/employees/contract.ts';
import { useAbility, useMe } from '../../../app/api/me.ts';
import { dayBefore, upcomingDay, useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { ConfirmModal } from '../../../ui/ConfirmModal.tsx';
import { useConfirmedChange } from '../../../ui/confirmed-change.ts';
import { Facts } from '../../../ui/Facts.tsx';
import { DateText, MoneyText, TimeText } from '../../../ui/figures.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { syncAddress } from '../../../ui/sync-address.ts';
import { useIntegrations } from '../../connectors/api.ts';
import { useLinkEmployee, useUnlinkEmployee } from '../api.ts';
import { Fold } from './Fold.tsx';
import { texts } from './texts.ts';

/** Returns the first day without a subscription, if the end is known. */
const endOf = ({ cancelledAt, upcoming }: Employee['subscription']) =>
  cancelledAt ?? (upcoming?.type === 'cancellation' ? upcoming.at : null);

/** Returns the last month for which something is deducted: that of the last ticket, or of the end to come. */
function lastDeductionOf({ employee: { subscription, plan }, tickets }: Pick<EmployeeDetails, 'employee' | 'tickets'>) {
  const { status } = subscription;
  const cancelledAt = endOf(subscription);
  if (plan.type === 'fully-subsidized-plan' || cancelledAt === null) return undefined;
  return status === 'cancelled' ? tickets[0]?.month : dayBefore(cancelledAt).slice(0, 7);
}

export function Subscription({ details }: { details: EmployeeDetails }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { subscription, plan } = details.employee;
  const { startAt, upcoming } = subscription;
  const cancelledAt = endOf(subscription);
  const lastDay = cancelledAt === null || startAt === null ? cancelledAt : dayBefore(cancelledAt);
  const lastDeduction = lastDeductionOf(details);
  const words = useWords();
  const { contractSigningStatus: contract, employeeContributionAmount: contribution } = plan;
  return (
    <Section title={t('subscription')}>
      <Facts
        facts={[
          [
            t('upcoming'),
            upcoming === null ? '–' : `${words.upcoming[upcoming.type]} ${formats.date(upcomingDay(upcoming))}`,
          ],
          [t('startAt'), <DateText key="start" date={subscription.startAt} />],
          [t('next'), <DateText key="next" date={subscription.nextTicketAt} />],
          [t('pausedAt'), <DateText key="paused" date={subscription.pausedAt} />],
          [t('reactivatedAt'), <DateText key="back" date={subscription.reactivatedAt} />],
          [t('cancelledAt'), <DateText key="end" date={lastDay} />],
          ...(lastDeduction === undefined ? [] : [[t('lastDeduction'), formats.month(lastDeduction)] as const]),
          [t('plan'), words.plan[plan.type]],
          [t('contract'), contract === null ? t('noContract') : <StatusBadge key="c" of="contract" word={contract} />],
          ...(contribution === null
            ? []
            : [[t('contribution'), <MoneyText key="pays" money={contribution} />] as const]),
        ]}
      />
    </Section>
  );
}

export function Ticket({ details: { employee, tickets } }: { details: EmployeeDetails }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { ticket } = employee;
  const wallets = useMe().data?.wallets ?? [];
  const earlier = tickets.filter(({ ticketId }) => ticketId !== ticket?.ticketId);
  return (
    <Section title={t('ticket')}>
      {ticket === null ? (
        <Text size="sm" c="dimmed">
          {t('noTicket')}
        </Text>
      ) : (
        <Stack gap="sm">
          <Facts
            facts={[
              [
                t('ticketId'),
                <span key="id" className="figures">
                  {ticket.ticketId}
                </span>,
              ],
              [t('valid'), t('span', { from: formats.date(ticket.validFrom), until: formats.date(ticket.validUntil) })],
            ]}
          />
          <Group gap="xs">
            {wallets.length === 0 && (
              <Button
                component="a"
                href={ticket.links.apple}
                target="_blank"
                rel="noreferrer"
                variant="default"
                size="compact-sm"
                leftSection={<IconQrcode size={15} aria-hidden />}
              >
                {t('showTicket')}
              </Button>
            )}
            {wallets.map((wallet) => (
              <Button
                key={wallet}
                component="a"
                href={ticket.links[wallet]}
                target="_blank"
                rel="noreferrer"
                variant="default"
                size="compact-sm"
                leftSection={
                  wallet === 'apple' ? (
                    <IconBrandApple size={15} aria-hidden />
                  ) : (
                    <IconBrandGoogle size={15} aria-hidden />
                  )
                }
              >
                {t(wallet)}
              </Button>
            ))}
          </Group>
        </Stack>
      )}
      {earlier.length > 0 && (
        <>
          <Text size="xs" c="dimmed" fw={600} mt="md" mb={4}>
            {t('tickets')}
          </Text>
          <Fold items={earlier} shownAtOnce={3}>
            {(shown) => (
              <ul className="plain-list">
                {shown.map(({ ticketId, month }) => (
                  <Text key={ticketId} component="li" size="sm" className="figures">
                    {formats.month(month)}{' '}
                    <Text span inherit c="dimmed">
                      {ticketId}
                    </Text>
                  </Text>
                ))}
              </ul>
            )}
          </Fold>
        </>
      )}
    </Section>
  );
}

/** Lets the user add an id that was assigned by hand. */
function AddLink({ employeeId }: { employeeId: number }) {
  const t = useTexts(texts);
  const [hrId, setHrId] = useState('');
  const link = useLinkEmployee(employeeId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (hrId.trim() !== '') link.mutate(hrId.trim(), { onSuccess: () => setHrId('') });
  };
  return (
    <form onSubmit={submit} className="no-print">
      <Group gap="xs" align="flex-end" mt="sm">
        <TextInput
          label={t('addHrId')}
          value={hrId}
          onChange={(event) => setHrId(event.currentTarget.value)}
          maxLength={255}
          autoComplete="off"
          flex={1}
        />
        <Button type="submit" variant="default" loading={link.isPending} disabled={hrId.trim() === ''}>
          {t('add')}
        </Button>
      </Group>
      <ProblemAlert error={link.error} />
    </form>
  );
}

/** Removes an id that was assigned by hand. */
function RemoveLink({ employeeId, hrId }: { employeeId: number; hrId: string }) {
  const t = useTexts(texts);
  const [opened, setOpened] = useState(false);
  const { modalProps, execute } = useConfirmedChange(useUnlinkEmployee(employeeId), () => setOpened(false));
  return (
    <>
      <Button size="compact-xs" variant="subtle" className="no-print" onClick={() => setOpened(true)}>
        {t('removeHrId', { hrId })}
      </Button>
      <ConfirmModal
        {...modalProps}
        opened={opened}
        onConfirm={() => execute(hrId, t('removedHrId', { hrId }))}
        title={t('removeHrIdTitle', { hrId })}
        confirmLabel={t('remove')}
        danger
      >
        {t('removeHrIdText')}
      </ConfirmModal>
    </>
  );
}

export function HrLinks({ employee }: { employee: Employee }) {
  const { id: employeeId, hrIntergartionLinks: links } = employee;
  const mayChange = useAbility('decisions');
  const t = useTexts(texts);
  const words = useWords();
  const integrations = useIntegrations().data;
  const nameOf = (id: number) =>
    integrations?.find((one) => one.id === id)?.name ?? t('integration', { id: String(id) });
  return (
    <Section title={t('hrLinks')}>
      {links.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noHrLinks')}
        </Text>
      )}
      <Stack component="ul" gap="sm" className="plain-list">
        {links.map(({ type, hrId, hrIntegrationId, lastSyncId, lastSynced }) => (
          <li key={`${type} ${hrIntegrationId} ${hrId}`}>
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {hrId}
            </Text>
            {hrIntegrationId === null ? (
              <Group gap="xs">
                <Text size="sm">{words.hrLink[type]}</Text>
                {mayChange && <RemoveLink employeeId={employeeId} hrId={hrId} />}
              </Group>
            ) : (
              <Anchor component={Link} to={`/integrations/${hrIntegrationId}`} size="sm">
                {nameOf(hrIntegrationId)}
              </Anchor>
            )}
            {hrIntegrationId !== null && lastSyncId !== null && (
              <Text size="xs" c="dimmed" component="div">
                {t('lastSync')}:{' '}
                <Anchor component={Link} to={syncAddress(hrIntegrationId, lastSyncId)} inherit underline="always">
                  {lastSynced === null ? lastSyncId : <TimeText at={lastSynced} exact />}
                </Anchor>
              </Text>
            )}
          </li>
        ))}
      </Stack>
      {mayChange && <AddLink employeeId={employeeId} />}
    </Section>
  );
}

export function Absences({ absences }: Pick<EmployeeDetails, 'absences'>) {
  const t = useTexts(texts);
  const formats = useFormats();
  return (
    <Section title={t('absences')}>
      {absences.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noAbsences')}
        </Text>
      )}
      <Fold items={absences.toReversed()} shownAtOnce={5}>
        {(shown) => (
          <Stack component="ul" gap="xs" className="plain-list">
            {shown.map(({ startDate, endDate, approved }) => (
              <Group key={`${startDate} ${endDate} ${approved}`} component="li" justify="space-between" gap="xs">
                <Text size="sm" className="figures">
                  {formats.date(startDate)} – {endDate === null ? t('openEnd') : formats.date(endDate)}
                </Text>
                <Badge color={approved ? 'teal' : 'gray'}>{t(approved ? 'approved' : 'notApproved')}</Badge>
              </Group>
            ))}
          </Stack>
        )}
      </Fold>
    </Section>
  );
}
