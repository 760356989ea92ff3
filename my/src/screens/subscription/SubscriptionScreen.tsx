import { useState } from 'react';
import type { MyDocuments } from '../../../../src/features/documents/my-contract.ts';
import type { MyHistory } from '../../../../src/features/subscriptions/my-contract.ts';
import type { Home } from '../../../../src/my/contract.ts';
import { get, pathTo } from '../../api/call.ts';
import { type PlainKey, useReader } from '../../reader.tsx';
import { Link } from '../../router.tsx';
import { useAppState } from '../../state.ts';
import { type IconName, icon } from '../../ui/icons.tsx';
import { Button, Card, Facts, Loading, Notice, Problem, Screen, Sentence, useLoaded } from '../../ui/parts.tsx';

type Action = Home['actions'][number]['action'];
type Subscription = Home['subscription'];

const actionLooks: Record<Action, { icon: IconName; text: PlainKey }> = {
  subscribe: { icon: 'plus', text: 'actionSubscribe' },
  pause: { icon: 'pause', text: 'actionPause' },
  resume: { icon: 'play', text: 'actionResume' },
  cancel: { icon: 'stop', text: 'actionCancel' },
};

const pauseTexts = { employee: 'pauseEmployee', company: 'pauseCompany', absence: 'pauseAbsence' } as const;
const sideTexts = { employee: 'historyEmployee', company: 'historyCompany', service: 'historyService' } as const;
const agreementTexts = {
  pending: 'agreementPending',
  accepted: 'agreementAccepted',
  rejected: 'agreementRejected',
} as const;

function Actions({ actions, subscription }: Pick<Home, 'actions' | 'subscription'>) {
  const { t, formats } = useReader();
  const isBack = subscription.status === 'cancelled';
  // An action that makes no sense now is not offered. Why one that does is not possible is said.
  const offered = actions.filter(({ isPossible, message }) => isPossible || message !== null);
  return (
    <Card title={t('changes')}>
      {subscription.whoCanChange && (
        <p>
          <Sentence message={subscription.whoCanChange} />
        </p>
      )}
      <ul className="rows">
        {offered.map(({ action, isPossible, message, earliestFrom }) => {
          const { icon: name, text } = actionLooks[action];
          const label = t(action === 'subscribe' && isBack ? 'actionRejoin' : text);
          return (
            <li key={action}>
              {isPossible ? (
                <Link to={`/subscription/${action}`} className="row">
                  {icon(name)}
                  <span>{label}</span>
                  {icon('next', 18)}
                </Link>
              ) : (
                <div className="row off">
                  {icon(name)}
                  <span>
                    {label}
                    <small>
                      <Sentence message={message} />
                      {earliestFrom !== null && ` ${t('actionEarliest', { date: formats.date(earliestFrom) })}`}
                    </small>
                  </span>
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function Costs({ subscription }: { subscription: Subscription }) {
  const { t, formats } = useReader();
  const { employeeAmount, companyAmount, ticketPrice, deductedWith } = subscription;
  return (
    <Card title={t('costs')}>
      <div className="costs">
        <div className="mine">
          <span>{t('youPay')}</span>
          <strong>{employeeAmount.value === 0 ? t('invitationNothing') : formats.money(employeeAmount)}</strong>
        </div>
        <Facts
          facts={[
            [t('employerPays'), formats.money(companyAmount)],
            [t('ticketPrice'), formats.money(ticketPrice)],
            employeeAmount.value > 0 && [
              t('deductedWith'),
              deductedWith === null ? t('deductedNone') : t('salaryOf', { month: formats.month(deductedWith) }),
            ],
          ]}
        />
      </div>
    </Card>
  );
}

function Dates({ subscription }: { subscription: Subscription }) {
  const { t, formats } = useReader();
  const { startAt, endAt, nextTicketAt, lastTicketMonth, lastDeductionMonth, pauses } = subscription;
  const facts = [
    nextTicketAt !== null && ([t('nextTicketAt'), formats.date(nextTicketAt)] as const),
    ...pauses.map(
      ({ by, from, until }) =>
        [
          t(pauseTexts[by]),
          until === null
            ? t('pauseOpen', { from: formats.date(from) })
            : t('pauseRange', { from: formats.date(from), until: formats.lastDay(until) }),
        ] as const,
    ),
    lastTicketMonth !== null && ([t('lastTicket'), formats.month(lastTicketMonth)] as const),
    lastDeductionMonth !== null && ([t('lastDeduction'), formats.month(lastDeductionMonth)] as const),
    startAt !== null && ([t('startAt'), formats.date(startAt)] as const),
    endAt !== null && ([t('endAt'), formats.lastDay(endAt)] as const),
  ];
  if (facts.every((fact) => fact === false)) return null;
  return (
    <Card title={t('dates')}>
      <Facts facts={facts} />
    </Card>
  );
}

const firstEntries = 4;

function History() {
  const { t, formats, renderMessage } = useReader();
  const { data, error, reload } = useLoaded(() => get<MyHistory>('/history'), 'history');
  const [isAll, setAll] = useState(false);
  const shown = isAll ? data : data?.slice(0, firstEntries);
  return (
    <Card title={t('history')}>
      <Problem error={error} onRetry={reload} />
      {data === undefined && error === undefined && <Loading />}
      {data?.length === 0 && <p>{t('historyEmpty')}</p>}
      <ol className="timeline">
        {shown?.map(({ recordedAt, effectiveOn, message, by }) => (
          <li key={`${recordedAt} ${effectiveOn} ${message.key}`}>
            <p>{renderMessage(message)}</p>
            <small>
              {formats.time(recordedAt)}, {t(sideTexts[by])}
            </small>
          </li>
        ))}
      </ol>
      {data !== undefined && shown !== undefined && shown.length < data.length && (
        <Button look="quiet" label={t('showMore')} onClick={() => setAll(true)} />
      )}
    </Card>
  );
}

const perPage = 10;

type Formats = ReturnType<typeof useReader>['formats'];

/** Formats what a document is about: a month, a year, or a day. */
function formatAbout({ type, about, createdAt }: MyDocuments['data']['data'][number], formats: Formats): string {
  if (type === 'yearly-statement' && about !== null) return about.slice(0, 4);
  if (type === 'ticket-confirmation' && about !== null) return formats.month(about);
  return formats.date(about ?? createdAt.slice(0, 10));
}

function Documents({ agreement }: Pick<Home, 'agreement'>) {
  const { t, formats, documentName } = useReader();
  const [pages, setPages] = useState(1);
  const { data, error, reload } = useLoaded(
    () => get<MyDocuments['data']>(`/documents?page=1&perPage=${pages * perPage}`),
    `documents ${pages}`,
  );
  const documents = data?.data;
  return (
    <Card title={t('documents')}>
      <Problem error={error} onRetry={reload} />
      {documents === undefined && error === undefined && <Loading />}
      {documents?.length === 0 && agreement === null && <p>{t('documentsEmpty')}</p>}
      <ul className="rows">
        {agreement !== null && (
          <li>
            <Link to="/subscription/agreement" className="row">
              {icon('file')}
              <span>
                {t('agreementTitle')}
                <small>{t(agreementTexts[agreement.status])}</small>
              </span>
              {icon('next', 18)}
            </Link>
          </li>
        )}
        {documents?.map((document) => {
          const { id, type, name, downloadable } = document;
          const content = (
            <>
              {icon('file')}
              <span>
                {documentName({ type, name })}
                <small>
                  {formatAbout(document, formats)}
                  {!downloadable && `, ${t('documentPending')}`}
                </small>
              </span>
            </>
          );
          return (
            <li key={id}>
              {downloadable ? (
                <a className="row" href={pathTo(`/documents/${id}/download`)} download>
                  {content}
                  {icon('download', 18)}
                </a>
              ) : (
                <div className="row off">{content}</div>
              )}
            </li>
          );
        })}
      </ul>
      {data !== undefined && data.totalPages > 1 && (
        <Button look="quiet" label={t('showMore')} onClick={() => setPages((count) => count + 1)} />
      )}
    </Card>
  );
}

/** Shows one's own subscription: what it is, what it costs, what is next, and what can be changed. */
export function SubscriptionScreen({ home }: { home: Home }) {
  const { t, formats, status } = useReader();
  const { connection } = useAppState();
  const { subscription, agreement, actions } = home;
  const { undo, reasons } = subscription;
  return (
    <Screen
      title={t('subscriptionTitle')}
      beside={<span className={`badge ${subscription.status}`}>{status(subscription.status)}</span>}
    >
      <Card className="summary">
        <p className="sentence">
          <Sentence message={subscription.sentence} />
        </p>
        {reasons.length > 0 && (
          <details className="more">
            <summary>{t('why')}</summary>
            <ul>
              {reasons.map((reason) => (
                <li key={reason.key}>
                  <Sentence message={reason} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </Card>
      {agreement?.canDecide && (
        <Notice left="file" title={t('agreementTitle')}>
          <p>{t('agreementTodo')}</p>
          <Link to="/subscription/agreement" className="button primary">
            {t('agreementTodoAction')}
          </Link>
        </Notice>
      )}
      {undo && (
        <Notice left="undo" title={t('undoTitle')}>
          <p>{t('undoText', { date: formats.date(undo.until) })}</p>
          <Link to="/subscription/undo" className="button plain">
            {t('undoAction')}
          </Link>
        </Notice>
      )}
      <Costs subscription={subscription} />
      <Dates subscription={subscription} />
      {connection === 'online' && <Actions actions={actions} subscription={subscription} />}
      <History />
      <Documents agreement={agreement} />
    </Screen>
  );
}
