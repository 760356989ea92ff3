import { useState } from 'react';
import { ApiProblem, post } from '../../api/call.ts';
import { useReader } from '../../reader.tsx';
import { navigate } from '../../router.tsx';
import { enter } from '../../state.ts';
import { Button, Card, Field, Notice, Problem, Screen, useAction } from '../../ui/parts.tsx';

/** Returns what the QR code of a letter says: the HR id, and the code after the last dot. */
function parseFragment(fragment: string | undefined): { hrId: string; code: string } {
  const [, hrId = '', code = ''] = /^(.*)\.([^.]+)$/.exec(fragment ?? '') ?? [];
  const decode = (text: string) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  return { hrId: decode(hrId), code: decode(code) };
}

/** Lets somebody in with the code of their letter. */
export function LetterScreen({ companyId, fragment }: { companyId: number; fragment: string | undefined }) {
  const { t } = useReader();
  const [{ hrId, code }, setTyped] = useState(() => parseFragment(fragment));
  const [isTried, setTried] = useState(false);
  const { run, isBusy, error } = useAction(async () => {
    await post('/access/letter', { companyId, hrId: hrId.trim(), code: code.replace(/[\s-]/g, '') });
    await enter();
    navigate('/', { replace: true });
  });
  const missing = (text: string) => (isTried && text.trim() === '' ? t('fieldMissing') : undefined);
  const isWrong = error instanceof ApiProblem && error.code === 'access-refused';
  return (
    <Screen title={t('letterTitle')} hint={t('letterText')}>
      <Card>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            setTried(true);
            if (hrId.trim() !== '' && code.trim() !== '') void run();
          }}
        >
          <Field
            label={t('letterHrId')}
            hint={t('letterHrIdHint')}
            value={hrId}
            onChange={(next) => setTyped({ hrId: next, code })}
            error={missing(hrId)}
          />
          <Field
            label={t('letterCode')}
            hint={t('letterCodeHint')}
            value={code}
            onChange={(next) => setTyped({ hrId, code: next })}
            error={missing(code)}
            maxLength={40}
          />
          {isWrong ? (
            <Notice look="bad" left="alert" isStatus>
              <strong>{t('letterWrong')}</strong>
              <p>{t('letterWrongHint')}</p>
            </Notice>
          ) : (
            <Problem error={error} />
          )}
          <Button type="submit" label={t('signIn')} isBusy={isBusy} />
        </form>
      </Card>
    </Screen>
  );
}
