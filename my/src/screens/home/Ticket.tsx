import { Fragment, useEffect, useState } from 'react';
import type { MyTicket } from '../../../../src/features/tickets/my-contract.ts';
import { useReader } from '../../reader.tsx';
import { currentTime } from '../../state.ts';
import { icon } from '../../ui/icons.tsx';
import { Button, Dialog } from '../../ui/parts.tsx';
import { TicketCode } from '../../ui/qr.tsx';

/** The time of day, which shows that the page is no picture. */
function Clock() {
  const { formats } = useReader();
  const [now, setNow] = useState(currentTime);
  useEffect(() => {
    const timer = setInterval(() => setNow(currentTime()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span className="ticket-clock">{formats.clock(now)}</span>;
}

/** Keeps the screen on while the code is held to a scanner. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    const request = async () => {
      if (document.visibilityState !== 'visible') return;
      const next = await navigator.wakeLock?.request('screen').catch(() => undefined);
      if (isOver) void next?.release();
      else lock = next;
    };
    void request();
    // The browser releases it when the page goes out of view.
    document.addEventListener('visibilitychange', request);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', request);
      void lock?.release();
    };
  }, []);
}

/** Returns what identifies a ticket, by what it is: only a chip card or a code may be known. */
function numbersOf({ id, chipCardNumber: card, activationCode: code }: MyTicket) {
  return [
    ...(id === card || id === code ? [] : [['ticketNumberOnly', id] as const]),
    ...(card === undefined ? [] : [['ticketChipCard', card] as const]),
    ...(code === undefined ? [] : [['ticketActivationCode', code] as const]),
  ];
}

function Code({ ticket }: { ticket: MyTicket }) {
  const { t } = useReader();
  // A later version of the service may know other formats.
  const { code, format } = ticket;
  if (format === 'none') {
    return (
      <div className="ticket-plain">
        {numbersOf(ticket).map(([name, number]) => (
          <Fragment key={name}>
            <p className="ticket-label">{t(name)}</p>
            <p className="ticket-figures">{number}</p>
          </Fragment>
        ))}
        <p>{t('ticketNumberOnlyText')}</p>
      </div>
    );
  }
  if (format !== 'qr' && format !== 'aztec') return <p className="ticket-unknown">{t('ticketUnknownFormat')}</p>;
  return <TicketCode code={code} format={format} label={t('ticketCode')} />;
}

function LargeCode({ ticket, onClose }: { ticket: MyTicket; onClose(): void }) {
  const { t, formats } = useReader();
  useWakeLock();
  return (
    <Dialog title={t('ticketTitle', { month: formats.month(ticket.month) })} onClose={onClose} className="large-code">
      {ticket.isTest && <p className="ticket-test">{t('ticketTestText')}</p>}
      <Code ticket={ticket} />
      <p className="large-name">
        {ticket.firstName} {ticket.lastName}
      </p>
      <p className="large-hint">
        {icon('sun')} {t('ticketBrightness')}
      </p>
      <Button look="plain" label={t('close')} left="close" onClick={onClose} />
    </Dialog>
  );
}

/** The ticket as its holder shows it: black on white in any light, whatever the rest of the page looks like. */
export function TicketCard({ ticket }: { ticket: MyTicket }) {
  const { t, formats } = useReader();
  const [isLarge, setLarge] = useState(false);
  const { firstName, lastName, month, validFrom, validUntil, isTest, product, id, format } = ticket;
  return (
    <article className="ticket" aria-label={t('ticketTitle', { month: formats.month(month) })}>
      <header className="ticket-head">
        <div>
          <p className="ticket-product">{product}</p>
          <p className="ticket-month">{formats.month(month)}</p>
        </div>
        <p className="ticket-valid">
          {t(isTest ? 'ticketTest' : 'ticketValid')}
          <Clock />
        </p>
      </header>
      {isTest && <p className="ticket-test">{t('ticketTestText')}</p>}
      {!isTest && format === 'qr' && <p className="ticket-small">{t('ticketOwnText')}</p>}
      {format === 'none' ? (
        <Code ticket={ticket} />
      ) : (
        <button type="button" className="ticket-code" onClick={() => setLarge(true)}>
          <Code ticket={ticket} />
          <span className="ticket-hint">{t('ticketEnlargeHint')}</span>
        </button>
      )}
      <div className="ticket-tear" aria-hidden="true" />
      <div className="ticket-body">
        <p className="ticket-label">{t('ticketHolder')}</p>
        <p className="ticket-name">
          {firstName} {lastName}
        </p>
        <p className="ticket-validity">
          {t('ticketValidity', { from: formats.date(validFrom), until: formats.date(validUntil) })}
        </p>
        <p className="ticket-small">
          {t('ticketPhotoId')}{' '}
          {format !== 'none' && (
            <>
              {t('ticketNumber')}:{' '}
              <span className="figures">
                {[id, ticket.chipCardNumber, ticket.activationCode]
                  .filter((one, at, all) => one !== undefined && all.indexOf(one) === at)
                  .join(' · ')}
              </span>
            </>
          )}
        </p>
      </div>
      {isLarge && <LargeCode ticket={ticket} onClose={() => setLarge(false)} />}
    </article>
  );
}
