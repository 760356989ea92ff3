import { Alert, Radio, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ApiKey, NewSecret } from '../../../../src/features/keys/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { useRotateKey } from './api.ts';
import type { CreatedSecret } from './SecretModal.tsx';
import { texts } from './texts.ts';

const overlaps = ['0', '1', '24', '168'] as const;

interface Props {
  apiKey: ApiKey;
  onCreated(secret: CreatedSecret): void;
  onCancel(): void;
}

export function RotateForm({ apiKey, onCreated, onCancel }: Props) {
  const t = useTexts(texts);
  const formats = useFormats();
  const rotate = useRotateKey();
  const [hours, setHours] = useState<(typeof overlaps)[number]>('24');
  const { username, permissions, previousValidUntil } = apiKey;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = (secret: NewSecret) => onCreated({ ...secret, permissions });
    rotate.mutate({ username, overlapHours: Number(hours) }, { onSuccess });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('rotateHint')}</Text>
        <Radio.Group label={t('overlapLabel')} value={hours} onChange={setHours}>
          <Stack gap="xs" mt="xs">
            {overlaps.map((value) => (
              <Radio
                key={value}
                value={value}
                label={t(`hours${value}`)}
                {...(value === hours ? { 'data-autofocus': true } : {})}
              />
            ))}
          </Stack>
        </Radio.Group>
        {(hours === '0' || previousValidUntil !== null) && (
          <Alert color="yellow" py="xs" role="status">
            {hours === '0' && <div>{t('stopsNow')}</div>}
            {previousValidUntil !== null && <div>{t('replaced', { time: formats.time(previousValidUntil) })}</div>}
          </Alert>
        )}
        <ProblemAlert error={rotate.error} inWords={{ 'not-found': t('gone') }} />
        <FormButtons submitLabel={t('rotateSubmit')} pending={rotate.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
