import type { Logo as CompanyLogo } from '../../src/features/companies/contract.ts';
import type { EmployeeSession } from '../../src/features/employee-access/contract.ts';
import type { ReplacementBody } from '../../src/features/tickets/my-contract.ts';
import { get } from './api/call.ts';
import { languages, useReader } from './reader.tsx';
import { Link, takeQuery, useFragment, usePath } from './router.tsx';
import { EnterScreen } from './screens/access/EnterScreen.tsx';
import { InvitationScreen } from './screens/access/InvitationScreen.tsx';
import { LetterScreen } from './screens/access/LetterScreen.tsx';
import { OpenLinkScreen } from './screens/access/OpenLinkScreen.tsx';
import { SsoScreen } from './screens/access/SsoScreen.tsx';
import { HomeScreen } from './screens/home/HomeScreen.tsx';
import { ReplacementScreen } from './screens/home/ReplacementScreen.tsx';
import { DataScreen } from './screens/my-data/DataScreen.tsx';
import { AgreementScreen } from './screens/subscription/AgreementScreen.tsx';
import { type Action, RequestScreen } from './screens/subscription/RequestScreen.tsx';
import { SubscriptionScreen } from './screens/subscription/SubscriptionScreen.tsx';
import { UndoScreen } from './screens/subscription/UndoScreen.tsx';
import { refresh, switchEmployment, useAppState } from './state.ts';
import { icon } from './ui/icons.tsx';
import { Button, Choice, Loading, Notice, Screen, useLoaded } from './ui/parts.tsx';

const query = takeQuery();

function LanguageChoice() {
  const { t, language, setLanguage } = useReader();
  return (
    <fieldset className="languages">
      <legend className="visually-hidden">{t('language')}</legend>
      {languages.map(({ code, name }) => (
        <button key={code} type="button" lang={code} aria-pressed={code === language} onClick={() => setLanguage(code)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}

/** The logo of the employer. Without a network, or if there is none, that of the page. */
function Logo({ company }: { company: EmployeeSession['company'] | undefined }) {
  const { data } = useLoaded(
    async () => (company?.hasLogo ? get<CompanyLogo>('/session/logo') : null),
    `logo ${company?.hasLogo} ${company?.id}`,
  );
  if (data?.content) return <img className="brand-logo" src={`data:image/png;base64,${data.content}`} alt="" />;
  return <img src="/my/icon.svg" alt="" width="32" height="32" />;
}

function Brand({ name, company }: { name?: string | undefined; company?: EmployeeSession['company'] | undefined }) {
  const { t } = useReader();
  return (
    <div className="brand">
      <Logo company={company} />
      <span className="breakable">{name ?? t('enterTitle')}</span>
    </div>
  );
}

/** The screens that need no session. */
function Outside({ path, fragment, times }: { path: string } & ReturnType<typeof useFragment>) {
  const [, letter] = /^\/letter\/(\d{1,15})$/.exec(path) ?? [];
  if (letter !== undefined) return <LetterScreen key={times} companyId={Number(letter)} fragment={fragment} />;
  if (path === '/invitation') return <InvitationScreen key={times} token={fragment} />;
  const [, connection] = /^\/sso\/(\d{1,15})$/.exec(path) ?? [];
  if (connection !== undefined) return <SsoScreen connection={Number(connection)} query={query} />;
  if (path === '/enter' && fragment !== undefined) return <OpenLinkScreen key={times} token={fragment} />;
  return <EnterScreen />;
}

const isOutside = (path: string) => /^\/(enter|invitation|sso\/\d+|letter\/\d+)$/.test(path);

const tabs = [
  { to: '/', icon: 'ticket', text: 'tabTicket' },
  { to: '/subscription', icon: 'subscription', text: 'tabSubscription' },
  { to: '/data', icon: 'person', text: 'tabData' },
] as const;

const isIn = (path: string, to: string) =>
  to === '/' ? path === '/' || path.startsWith('/ticket/') : path.startsWith(to);

function Tabs({ path }: { path: string }) {
  const { t } = useReader();
  return (
    <nav className="tabs" aria-label={t('navigation')}>
      {tabs.map(({ to, icon: name, text }) => (
        <Link key={to} to={to} className="tab" isCurrent={isIn(path, to)}>
          {icon(name, 24)}
          <span>{t(text)}</span>
        </Link>
      ))}
    </nav>
  );
}

function ConnectionNotice() {
  const { t } = useReader();
  const { connection, session, kept } = useAppState();
  if (connection === 'online' || (session === undefined && kept === undefined)) return null;
  const isOffline = connection === 'offline';
  return (
    <Notice left="cloudOff" title={t(isOffline ? 'offlineTitle' : 'downTitle')} isStatus>
      <p>{t(isOffline ? 'offlineTicket' : 'downText')}</p>
    </Notice>
  );
}

function EmploymentChoice() {
  const { t } = useReader();
  const { session, kept } = useAppState();
  const employments = session?.employments ?? kept?.employments ?? [];
  const currentId = kept?.currentId ?? employments[0]?.id;
  if (employments.length < 2 || currentId === undefined) return null;
  return (
    <div className="employments">
      <Choice
        label={t('employer')}
        value={String(currentId)}
        options={employments.map(({ id, companyName }) => ({ value: String(id), label: companyName }))}
        onChange={(id) => void switchEmployment(Number(id))}
      />
    </div>
  );
}

const actions: readonly string[] = ['subscribe', 'pause', 'resume', 'cancel'] satisfies Action[];

/** The screens of somebody who is signed in. Those that need the service say so if it cannot be reached. */
function Inside({ path }: { path: string }) {
  const { t } = useReader();
  const { session, home, kept, connection } = useAppState();
  if (path === '/' && kept !== undefined) return <HomeScreen kept={kept} />;
  if (session == null || home === undefined) {
    return (
      <Screen
        title={t(isIn(path, '/data') ? 'dataTitle' : isIn(path, '/subscription') ? 'subscriptionTitle' : 'tabTicket')}
      >
        {connection === 'online' ? (
          <Loading rows={4} />
        ) : (
          <div className="card">
            <p>{t('offlineText')}</p>
            <Button label={t('retry')} onClick={() => void refresh()} />
          </div>
        )}
      </Screen>
    );
  }
  const [, place = '', detail = ''] = path.split('/');
  if (place === 'subscription') {
    if (detail === '') return <SubscriptionScreen home={home} />;
    if (detail === 'agreement') return <AgreementScreen />;
    if (detail === 'undo') return <UndoScreen home={home} />;
    if (actions.includes(detail)) return <RequestScreen key={detail} action={detail as Action} home={home} />;
  }
  if (path === '/data') return <DataScreen session={session} />;
  if (place === 'ticket' && (detail === 'unreadable' || detail === 'new-phone')) {
    const ticket = home.ticket === null ? {} : { ticketId: home.ticket.id };
    return <ReplacementScreen reason={detail satisfies ReplacementBody['reason']} {...ticket} />;
  }
  return (
    <Screen title={t('notFoundTitle')} hint={t('notFoundText')}>
      <Link to="/" className="button primary">
        {t('toTicket')}
      </Link>
    </Screen>
  );
}

export function App() {
  const { t } = useReader();
  const path = usePath();
  const taken = useFragment();
  const { session, kept } = useAppState();
  const isEntering = isOutside(path) || (session === null && kept === undefined);
  const companyName = kept?.employments.find(({ id }) => id === kept.currentId)?.companyName ?? session?.company.name;
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        {t('skip')}
      </button>
      <header className="top">
        <Brand {...(isEntering ? {} : { name: companyName, company: session?.company })} />
        {isEntering ? <LanguageChoice /> : <Tabs path={path} />}
      </header>
      <main id="main" tabIndex={-1}>
        {!isEntering && <ConnectionNotice />}
        {!isEntering && <EmploymentChoice />}
        {isEntering ? <Outside path={path} {...taken} /> : <Inside path={path} />}
      </main>
    </>
  );
}
