import { useEffect } from 'react';
import type { MissingTicket, MyTicket } from '../../../../src/features/tickets/my-contract.ts';
import type { Home } from '../../../../src/my/contract.ts';
import type { Kept } from '../../device/kept.ts';
import { findNext, findValid } from '../../device/kept.ts';
import { useToday } from '../../device/today.ts';
import { useReader } from '../../reader.tsx';
import { Link } from '../../router.tsx';
import { refresh, useAppState } from '../../state.ts';
import { icon } from '../../ui/icons.tsx';
import { Card, Loading, Notice, Screen, Sentence } from '../../ui/parts.tsx';
import { InstallHint } from './InstallHint.tsx';
import { TicketCard } from './Ticket.tsx';

const pollMillis = 20_000;

function Issuing({ nextAttemptAt }: Pick<MissingTicket, 'nextAttemptAt'>) {
  const { t, formats } = useReader();
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && void refresh(), pollMillis);
    return () => clearInterval(timer);
  }, []);
  return (
    <Card className="empty">
      <div className="spinner" aria-hidden="true" />
      <h2>{t('issuingTitle')}</h2>
      <p role="status">
        {nextAttemptAt === null ? t('issuingText') : t('issuingNextText', { time: formats.time(nextAttemptAt) })}
      </p>
    </Card>
  );
}

/** Says why there is no ticket today that there should be. */
function Missing({ missing: { state, nextAttemptAt } }: { missing: MissingTicket }) {
  const { t } = useReader();
  if (state === 'being-issued') return <Issuing nextAttemptAt={nextAttemptAt} />;
  const isBlocked = state === 'blocked';
  return (
    <Card className="empty">
      {icon('alert', 44)}
      <h2>{t(isBlocked ? 'blockedTitle' : 'issuingFailedTitle')}</h2>
      <p>{t(isBlocked ? 'blockedText' : 'issuingFailedText')}</p>
    </Card>
  );
}

function NoTicket({ home }: { home: Home | undefined }) {
  const { t, formats } = useReader();
  if (home === undefined) {
    return (
      <Card className="empty">
        {icon('ticket', 44)}
        <h2>{t('noTicketTitle')}</h2>
        <p>{t('noTicketOffline')}</p>
        <p>{t('noTicketClock')}</p>
      </Card>
    );
  }
  const { subscription, agreement, actions } = home;
  const canJoin = actions.some(({ action, isPossible }) => action === 'subscribe' && isPossible);
  return (
    <Card className="empty">
      {icon('ticket', 44)}
      <h2>{t('noTicketTitle')}</h2>
      <p>
        <Sentence message={subscription.sentence} />
      </p>
      {subscription.nextTicketAt !== null && (
        <p>{t('noTicketNext', { date: formats.date(subscription.nextTicketAt) })}</p>
      )}
      {agreement?.canDecide ? (
        <>
          <p>{t(subscription.status === 'scheduled' ? 'agreementTodo' : 'agreementChangeTodo')}</p>
          <Link to="/subscription/agreement" className="button primary">
            {t('agreementTodoAction')}
          </Link>
        </>
      ) : (
        canJoin && (
          <Link to="/subscription/subscribe" className="button primary">
            {t(subscription.status === 'cancelled' ? 'actionRejoin' : 'joinAction')}
          </Link>
        )
      )}
    </Card>
  );
}

function TicketTools({ ticket: { wallet, format } }: { ticket: MyTicket }) {
  const { t } = useReader();
  return (
    <Card title={t('ticketTools')}>
      {(wallet.apple ?? wallet.google) !== null && (
        <div className="buttons">
          {wallet.apple && (
            <a className="button wallet" href={wallet.apple} rel="noreferrer">
              {icon('wallet', 20)}
              {t('walletApple')}
            </a>
          )}
          {wallet.google && (
            <a className="button wallet" href={wallet.google} rel="noreferrer">
              {icon('wallet', 20)}
              {t('walletGoogle')}
            </a>
          )}
        </div>
      )}
      <ul className="rows">
        {format !== 'none' && (
          <li>
            <Link to="/ticket/unreadable" className="row">
              {icon('scan')}
              <span>{t('replaceUnreadable')}</span>
              {icon('next', 18)}
            </Link>
          </li>
        )}
        <li>
          <Link to="/ticket/new-phone" className="row">
            {icon('phone')}
            <span>{t('replacePhone')}</span>
            {icon('next', 18)}
          </Link>
        </li>
      </ul>
    </Card>
  );
}

/** Shows the ticket of today from this device, and what the service says about it if it was reached. */
export function HomeScreen({ kept }: { kept: Kept }) {
  const { t, formats } = useReader();
  const { home, session, connection } = useAppState();
  const { employments, currentId } = kept;
  const current = employments.find(({ id }) => id === currentId);
  const today = useToday(current?.timeZone ?? 'Europe/Berlin');
  const isCurrent = home !== undefined && connection === 'online';
  // Midnight has passed since the last response.
  const isOutdated = isCurrent && home.today !== today;
  useEffect(() => {
    if (isOutdated) void refresh();
  }, [isOutdated]);
  const ticket = findValid(current?.tickets ?? [], today);
  const next = findNext(current?.tickets ?? [], today);
  if (current === undefined || (ticket === undefined && session === undefined && connection === 'online')) {
    return (
      <Screen title={t('tabTicket')}>
        <Loading rows={4} />
      </Screen>
    );
  }
  // About a new share: the first agreement is accepted before the first ticket.
  const pending = home?.agreement?.canDecide === true && (ticket !== undefined || home.missing !== null);
  return (
    <Screen title={session ? t('hello', { name: session.employee.firstName }) : t('homeTitle')} isCompact>
      {ticket && <TicketCard key={ticket.code} ticket={ticket} />}
      {ticket && !isCurrent && <p className="as-of">{t('receivedAt', { time: formats.time(current.receivedAt) })}</p>}
      {!ticket && (home?.missing ? <Missing missing={home.missing} /> : <NoTicket home={home} />)}
      {pending && (
        <Notice left="file" title={t('agreementTitle')}>
          <p>{t('agreementChangeTodo')}</p>
          <Link to="/subscription/agreement" className="button primary">
            {t('agreementTodoAction')}
          </Link>
        </Notice>
      )}
      {next && (
        <Notice left="check" look="good">
          <p>{t('ticketNext', { month: formats.month(next.month), date: formats.date(next.validFrom) })}</p>
        </Notice>
      )}
      {ticket && <InstallHint />}
      {ticket && isCurrent && <TicketTools ticket={ticket} />}
    </Screen>
  );
}
