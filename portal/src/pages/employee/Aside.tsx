import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconBrandApple, IconBrandGoogle, IconQrcode } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useIntegrations } from '../../api/integrations.ts';
import { useMe } from '../../api/me.ts';
import type { Employee, EmployeeDetails } from '../../api/types.gen.ts';
import { Facts } from '../../components/Facts.tsx';
import { DateText, MoneyText, TimeText } from '../../components/figures.tsx';
import { Section } from '../../components/Section.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { syncAddress } from '../../components/sync-address.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useWords } from '../../i18n/words.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { Fold } from './Fold.tsx';

export function Subscription({ employee: { subscription, plan } }: { employee: Employee }) {
  const t = useTexts({ en, de });
  const words = useWords();
  const formats = useFormats();
  const { upcoming } = subscription;
  const { contractSigningStatus: contract, employeeContributionAmount: contribution } = plan;
  return (
    <Section title={t('subscription')}>
      <Facts
        facts={[
          [t('upcoming'), upcoming === null ? '–' : `${words.upcoming[upcoming.type]} ${formats.date(upcoming.at)}`],
          [t('startAt'), <DateText key="start" date={subscription.startAt} />],
          [t('next'), <DateText key="next" date={subscription.nextTicketAt} />],
          [t('pausedAt'), <DateText key="paused" date={subscription.pausedAt} />],
          [t('reactivatedAt'), <DateText key="back" date={subscription.reactivatedAt} />],
          [t('cancelledAt'), <DateText key="end" date={subscription.cancelledAt} />],
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
  const t = useTexts({ en, de });
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

export function HrLinks({ links }: { links: Employee['hrIntergartionLinks'] }) {
  const t = useTexts({ en, de });
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
              <Text size="sm">{words.hrLink[type]}</Text>
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
    </Section>
  );
}

export function Absences({ absences }: Pick<EmployeeDetails, 'absences'>) {
  const t = useTexts({ en, de });
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
