import { useState } from 'react';
import type { Device, EmployeeSession } from '../../../../src/features/employee-access/contract.ts';
import type { MySettingsBody } from '../../../../src/my/contract.ts';
import { get, pathTo, post, remove } from '../../api/call.ts';
import { languages, useReader } from '../../reader.tsx';
import { leave } from '../../state.ts';
import { icon } from '../../ui/icons.tsx';
import { Button, Card, Choice, Confirm, Loading, Problem, Screen, useAction, useLoaded } from '../../ui/parts.tsx';
import { StoredData } from './StoredData.tsx';

function Settings() {
  const { t, language, setLanguage } = useReader();
  const { data, error, reload } = useLoaded(() => get<Required<MySettingsBody>>('/settings'), 'settings');
  const [isSaved, setSaved] = useState(false);
  const save = useAction(async (change: MySettingsBody) => {
    setSaved(false);
    await post('/settings', change);
    setSaved(true);
    reload();
  });
  return (
    <Card title={t('settings')}>
      <Choice
        label={t('language')}
        value={language}
        options={languages.map(({ code, name }) => ({ value: code, label: name }))}
        onChange={(code) => {
          const chosen = code as typeof language;
          setLanguage(chosen);
          void save.run({ language: chosen });
        }}
      />
      {data && (
        <label className="check">
          <input
            type="checkbox"
            role="switch"
            aria-checked={data.mails}
            checked={data.mails}
            onChange={(event) => void save.run({ mails: event.target.checked })}
          />
          <span>
            {t('mails')}
            <small>{t('mailsHint')}</small>
          </span>
        </label>
      )}
      <Problem error={save.error ?? error} />
      <p role="status" className="hint">
        {isSaved && t('saved')}
      </p>
    </Card>
  );
}

function Devices() {
  const { t, formats } = useReader();
  const { data, error, reload } = useLoaded(() => get<Device[]>('/sessions'), 'sessions');
  const [isEnded, setEnded] = useState(false);
  const end = useAction(async (id: string) => {
    await remove(`/sessions/${encodeURIComponent(id)}`);
    setEnded(true);
    reload();
  });
  return (
    <Card title={t('sessions')}>
      <Problem error={end.error ?? error} onRetry={reload} />
      {data === undefined && error === undefined && <Loading rows={2} />}
      <ul className="rows">
        {data?.map(({ id, device, lastUsedAt, isCurrent }) => {
          const name = device ?? t('sessionUnknown');
          return (
            <li key={id} className="row still">
              {icon('phone')}
              <span>
                {name}
                <small>{isCurrent ? t('sessionThis') : t('sessionUsed', { time: formats.time(lastUsedAt) })}</small>
              </span>
              {!isCurrent && (
                <Button
                  look="quiet"
                  label={t('sessionEnd')}
                  name={t('sessionEndName', { device: name })}
                  isBusy={end.isBusy}
                  onClick={() => void end.run(id)}
                />
              )}
            </li>
          );
        })}
      </ul>
      <p role="status" className="hint">
        {isEnded ? t('sessionEnded') : t('sessionsNote')}
      </p>
    </Card>
  );
}

function SignOut({ session }: { session: EmployeeSession }) {
  const { t } = useReader();
  const [isEverywhere, setEverywhere] = useState(false);
  const { run, isBusy } = useAction(() => leave());
  return (
    <Card>
      <p className="breakable">{t('signedInAs', { email: session.employee.email })}</p>
      <p className="hint">{t('signOutHint')}</p>
      <div className="buttons">
        <Button look="plain" label={t('signOut')} isBusy={isBusy} onClick={() => void run()} />
        <Button look="quiet" label={t('signOutEverywhere')} onClick={() => setEverywhere(true)} />
      </div>
      {isEverywhere && (
        <Confirm
          title={t('signOutEverywhereTitle')}
          text={t('signOutEverywhereText')}
          confirmLabel={t('signOutEverywhere')}
          isDangerous
          onClose={() => setEverywhere(false)}
          onConfirm={() => leave(true)}
        />
      )}
    </Card>
  );
}

/** Shows what is stored about the employee, and everything about their access. */
export function DataScreen({ session }: { session: EmployeeSession }) {
  const { t } = useReader();
  return (
    <Screen title={t('dataTitle')} hint={`${session.employee.firstName} ${session.employee.lastName}`}>
      <Settings />
      <StoredData />
      <Card>
        <p>{t('dataDownloadHint')}</p>
        <a className="button plain" href={pathTo('/data/archive')} download>
          {icon('download', 20)}
          {t('dataDownload')}
        </a>
      </Card>
      <Devices />
      <SignOut session={session} />
    </Screen>
  );
}
