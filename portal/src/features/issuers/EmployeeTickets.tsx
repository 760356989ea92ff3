import { Badge, Group, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { EmployeeTicket, EmployeeTickets as Tickets } from '../../../../src/features/issuers/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useGet } from '../../app/api/queries.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { SmallAction } from '../../ui/Action.tsx';
import { type Show, useDialog } from '../../ui/Dialog.tsx';
import { Section } from '../../ui/layout.tsx';
import { MessageText } from '../../ui/MessageText.tsx';
import { Query } from '../../ui/Query.tsx';
import { Hint, Small } from '../../ui/text.tsx';
import { colours } from './colours.ts';
import type { ChangedTicket } from './TicketChange.tsx';
import { texts } from './texts.ts';

const TicketChange = lazy(async () => ({ default: (await import('./TicketChange.tsx')).TicketChange }));

function Actions({ ticket, of, show }: { ticket: EmployeeTicket; of: ChangedTicket; show: Show }) {
  const { t, formats } = useReader(texts);
  const month = formats.month(`${ticket.month}-01`);
  const open = (kind: 'block' | 'replace') =>
    show((dialog) => (
      <Suspense>
        <TicketChange {...dialog} kind={kind} ticket={of} usualReason="lost" />
      </Suspense>
    ));
  const action = (kind: 'block' | 'replace') => (
    <SmallAction label={t(kind)} aria-label={`${t(kind)}: ${month}`} onClick={() => open(kind)} />
  );
  return (
    <Group gap="xs" mt={4} className="no-print">
      {ticket.mayReplace && action('replace')}
      {ticket.mayBlock && action('block')}
    </Group>
  );
}

function Line({ ticket, ...others }: { ticket: EmployeeTicket; of: ChangedTicket; show: Show }) {
  const { t, formats } = useReader(texts);
  const mayChange = useAbility('decisions') && (ticket.mayBlock || ticket.mayReplace);
  return (
    <li>
      <Group gap="xs">
        <Text fw={600}>{formats.month(`${ticket.month}-01`)}</Text>
        <Badge color={colours[ticket.state]}>{t(ticket.state)}</Badge>
        {ticket.number && (
          <Text span className="figures breakable" c="dimmed">
            {ticket.number}
          </Text>
        )}
      </Group>
      {ticket.reason && <MessageText message={ticket.reason} />}
      {ticket.nextAttemptAt && <Small>{t('nextAttempt', { time: formats.time(ticket.nextAttemptAt) })}</Small>}
      {mayChange && <Actions ticket={ticket} {...others} />}
    </li>
  );
}

/** Lists what became of an employee's tickets, and lets users block and replace the present and the coming one. */
export function EmployeeTickets({ id, name }: { id: number; name: string }) {
  const { t } = useReader(texts);
  const { show, dialog } = useDialog();
  return (
    <Section title={t('orders')}>
      <Query of={useGet<Tickets>(['employee-tickets', id], `/employees/${id}/tickets`)} rows={2}>
        {({ tickets }) =>
          tickets.length === 0 ? (
            <Hint>{t('noTickets')}</Hint>
          ) : (
            <Stack component="ul" className="plain-list" gap="sm">
              {tickets.map((ticket, index) => (
                <Line
                  // biome-ignore lint/suspicious/noArrayIndexKey: a month may have several orders without numbers.
                  key={index}
                  ticket={ticket}
                  of={{ employeeId: id, name, month: ticket.month }}
                  show={show}
                />
              ))}
            </Stack>
          )
        }
      </Query>
      {dialog}
    </Section>
  );
}
