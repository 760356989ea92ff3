import { type FormEvent, useEffect, useState } from 'react';
import { post } from '../../api/call.ts';
import { useReader } from '../../reader.tsx';
import { navigate } from '../../router.tsx';
import { useAppState } from '../../state.ts';
import { Button, Card, Field, Notice, Problem, Screen, useAction } from '../../ui/parts.tsx';
import { noteAsked } from './asked.ts';

const isAddress = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/** Lets somebody paste the link where their mail program opens another browser, such as beside an installed app. */
function PasteLink() {
  const { t } = useReader();
  const [link, setLink] = useState('');
  const [isWrong, setWrong] = useState(false);
  function open(event: FormEvent) {
    event.preventDefault();
    const [, token = ''] = /\/my\/enter#(.+)$/.exec(link.trim()) ?? [];
    setWrong(token === '');
    if (token === '') return;
    window.history.replaceState(null, '', `/my/enter#${token}`);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  }
  return (
    <details className="more">
      <summary>{t('pasteQuestion')}</summary>
      <form onSubmit={open} noValidate>
        <p>{t('pasteText')}</p>
        <Field
          label={t('pasteLabel')}
          value={link}
          onChange={setLink}
          error={isWrong ? t('pasteInvalid') : undefined}
          maxLength={2000}
        />
        <Button type="submit" look="plain" label={t('openLink')} />
      </form>
    </details>
  );
}

function Sent({ email, onOther }: { email: string; onOther(): void }) {
  const { t } = useReader();
  return (
    <Screen title={t('sentTitle')} step="sent">
      <Card>
        <Notice left="mail" look="good" isStatus>
          <p>{t('sentText', { email })}</p>
          <p>{t('sentHint')}</p>
        </Notice>
        <p className="hint">{t('sentNothing')}</p>
        <Button look="plain" label={t('otherAddress')} onClick={onOther} />
        <PasteLink />
      </Card>
    </Screen>
  );
}

/** Lets employees in: they ask for a link by mail, or use the sign-in of their company. */
export function EnterScreen() {
  const { t } = useReader();
  const { hasEnded } = useAppState();
  const [email, setEmail] = useState('');
  const [isTried, setTried] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const [hasNoSso, setNoSso] = useState(false);
  const address = email.trim();
  const link = useAction(async () => {
    await post('/access/link', { email: address });
    noteAsked();
    setSentTo(address);
  });
  const sso = useAction(async () => {
    const { url } = await post<{ url: string | null }>('/access/sso/start', { email: address });
    setNoSso(url === null);
    if (url !== null) window.location.assign(url);
  });
  // A correct address removes what was said about the last one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is about the address.
  useEffect(() => setNoSso(false), [email]);
  const whenValid = (work: () => Promise<unknown>) => {
    setTried(true);
    if (isAddress(address)) void work();
    else document.querySelector<HTMLInputElement>('input[type=email]')?.focus();
  };
  if (sentTo !== undefined) return <Sent email={sentTo} onOther={() => setSentTo(undefined)} />;
  return (
    <Screen title={t('enterTitle')} hint={t('enterText')} step="enter">
      {hasEnded && (
        <Notice left="clock" isStatus>
          <p>{t('enterEnded')}</p>
        </Notice>
      )}
      <Card>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            whenValid(link.run);
          }}
        >
          <Field
            label={t('email')}
            hint={t('emailHint')}
            type="email"
            autoComplete="email"
            value={email}
            onChange={setEmail}
            error={isTried && !isAddress(address) ? t('emailInvalid') : undefined}
          />
          <Problem error={link.error ?? sso.error} />
          {hasNoSso && (
            <Notice left="alert" isStatus>
              <p>{t('ssoNone')}</p>
            </Notice>
          )}
          <div className="buttons">
            <Button type="submit" left="mail" label={t('sendLink')} isBusy={link.isBusy} />
            <p className="or">{t('or')}</p>
            <Button look="plain" label={t('useSso')} isBusy={sso.isBusy} onClick={() => whenValid(sso.run)} />
          </div>
        </form>
      </Card>
      <p className="aside">
        <strong>{t('letterQuestion')}</strong> {t('letterAnswer')}
      </p>
    </Screen>
  );
}

/** Shows why somebody is not let in, and the other way in. */
export function RefusedScreen({ title, text }: { title: string; text: string }) {
  const { t } = useReader();
  return (
    <Screen title={title} hint={text} step="refused">
      <Button label={t('newLink')} onClick={() => navigate('/', { replace: true })} />
    </Screen>
  );
}
