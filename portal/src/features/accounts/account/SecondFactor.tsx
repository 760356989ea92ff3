import { Alert, Anchor, Box, Button, Code, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { ApiProblem } from '../../../app/api/request.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { CopyIcon } from '../../../ui/CopyIcon.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Secret } from '../../../ui/Secret.tsx';
import { Section } from '../../../ui/Section.tsx';
import {
  useAddSecondFactor,
  useConfirmSecondFactor,
  useRemoveSecondFactor,
  useRenewRecoveryCodes,
  useSecondFactor,
} from '../api.ts';
import { texts } from './texts.ts';

const QrCode = lazy(async () => ({ default: (await import('./QrCode.tsx')).QrCode }));

/** Shows recovery codes once. */
function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const t = useTexts(texts);
  return (
    <Alert color="yellow" role="status" title={t('recoveryTitle')}>
      <Stack gap="xs">
        <Text size="sm">{t('recoveryHint')}</Text>
        <Group align="flex-start" gap="xs" wrap="nowrap">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={4} verticalSpacing={4}>
            {codes.map((code) => (
              <Code key={code}>{code}</Code>
            ))}
          </SimpleGrid>
          <CopyIcon value={codes.join('\n')} />
        </Group>
      </Stack>
    </Alert>
  );
}

/** Shows the secret for the app, as a QR code and as text, and asks for its first code. */
function Enrolment({ secret, uri, onCodes }: { secret: string; uri: string; onCodes(codes: string[]): void }) {
  const t = useTexts(texts);
  const confirm = useConfirmSecondFactor();
  const [code, setCode] = useState('');
  const isWrong = confirm.error instanceof ApiProblem && confirm.error.code === 'wrong-code';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Not a callback of `mutate`, which is dropped if this form is gone: it goes as soon as the app counts.
    confirm.mutateAsync(code.trim()).then(
      ({ recoveryCodes }) => onCodes(recoveryCodes),
      () => {},
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          {t('factorSteps')}{' '}
          <Anchor href={uri} underline="always">
            {t('openApp')}
          </Anchor>
        </Text>
        <Box mih={208}>
          <Suspense>
            <QrCode value={uri} label={t('factorQr')} />
          </Suspense>
        </Box>
        <Secret label={t('factorSecret')} value={secret} />
        {!isWrong && <ProblemAlert error={confirm.error} />}
        <TextInput
          label={t('factorCode')}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          error={isWrong && t('factorWrong')}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={confirm.isPending} style={{ alignSelf: 'flex-start' }}>
          {t('factorConfirm')}
        </Button>
      </Stack>
    </form>
  );
}

/** Adds, renews and removes the authenticator app of the user. */
export function SecondFactor() {
  const t = useTexts(texts);
  const { data, error } = useSecondFactor();
  const add = useAddSecondFactor();
  const renew = useRenewRecoveryCodes();
  const remove = useRemoveSecondFactor();
  const [codes, setCodes] = useState<readonly string[]>();
  const isEnrolling = add.data !== undefined && data?.isEnabled === false;
  return (
    <Section title={t('factorTitle')}>
      <Stack>
        <ProblemAlert error={error ?? add.error ?? renew.error ?? remove.error} />
        {codes && <RecoveryCodes codes={codes} />}
        {isEnrolling && <Enrolment {...add.data} onCodes={setCodes} />}
        {data && !isEnrolling && (
          <Text size="sm">{data.isEnabled ? t('factorOn', { count: data.recoveryCodes }) : t('factorOff')}</Text>
        )}
        {data && !isEnrolling && (
          <Group gap="xs">
            {data.isEnabled ? (
              <>
                <Button
                  variant="default"
                  loading={renew.isPending}
                  onClick={() => renew.mutate(undefined, { onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes) })}
                >
                  {t('factorRenew')}
                </Button>
                <Button
                  variant="default"
                  loading={remove.isPending}
                  onClick={() => remove.mutate(undefined, { onSuccess: () => setCodes(undefined) })}
                >
                  {t('factorRemove')}
                </Button>
              </>
            ) : (
              <Button loading={add.isPending} onClick={() => add.mutate(undefined)}>
                {t('factorAdd')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Section>
  );
}
