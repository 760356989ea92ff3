import { Select, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import type { Permission } from '../../../../src/domain/enums.ts';
import type { NewSecret } from '../../../../src/features/keys/contract.ts';
import { useMe } from '../../app/api/me.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { useCreateKey } from './api.ts';
import { type Expiry, expiries, expiryMoment } from './expiry.ts';
import { NameField } from './NameField.tsx';
import { PermissionFields } from './PermissionFields.tsx';
import type { CreatedSecret } from './SecretModal.tsx';
import { texts } from './texts.ts';

/** Loaded lazily. Most keys are created without the calendar, which is larger than the rest of the page. */
const DateField = lazy(async () => ({ default: (await import('../../ui/DateField.tsx')).DateField }));

interface ExpiryProps {
  expiry: Expiry;
  day: string | null;
  onExpiry(expiry: Expiry): void;
  onDay(day: string | null): void;
  error: string | false;
}

function ExpiryFields({ expiry, day, onExpiry, onDay, error }: ExpiryProps) {
  const t = useTexts(texts);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={t('expiry')}
        data={expiries.map((value) => ({ value, label: t(value) }))}
        value={expiry}
        onChange={(value) => onExpiry(value ?? 'never')}
        allowDeselect={false}
      />
      {expiry === 'date' && (
        <Suspense fallback={<Skeleton height={60} />}>
          <DateField
            label={t('day')}
            description={t('dayHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={day}
            onChange={onDay}
            minDate={new Date()}
            error={error}
          />
        </Suspense>
      )}
    </SimpleGrid>
  );
}

export function NewKeyForm({ onCreated, onCancel }: { onCreated(secret: CreatedSecret): void; onCancel(): void }) {
  const t = useTexts(texts);
  const timeZone = useMe().data?.company.timeZone ?? 'Europe/Berlin';
  const create = useCreateKey();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<Permission[]>([]);
  const [expiry, setExpiry] = useState<Expiry>('never');
  const [day, setDay] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const isDayMissing = expiry === 'date' && day === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (chosen.length === 0 || isDayMissing) return;
    const expiresAt = expiryMoment(expiry, day, timeZone);
    const onSuccess = (secret: NewSecret) => onCreated({ ...secret, permissions: chosen });
    create.mutate({ name: name.trim(), permissions: chosen, expiresAt }, { onSuccess });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <NameField label={t('name')} description={t('nameHint')} value={name} onChange={setName} />
        <PermissionFields chosen={chosen} onChange={setChosen} error={isSent && chosen.length === 0 && t('choose')} />
        <ExpiryFields
          expiry={expiry}
          day={day}
          onExpiry={setExpiry}
          onDay={setDay}
          error={isSent && isDayMissing && t('chooseDay')}
        />
        <ProblemAlert error={create.error} />
        <FormButtons submitLabel={t('submit')} pending={create.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
