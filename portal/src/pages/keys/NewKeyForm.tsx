import { Alert, Button, Checkbox, Group, Select, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useCreateKey } from '../../api/keys.ts';
import { useMe } from '../../api/me.ts';
import type { Permission } from '../../api/types.gen.ts';
import { ProblemAlert } from '../../components/ProblemAlert.tsx';
import { useCommonTexts } from '../../i18n/common.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useWords } from '../../i18n/words.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { type Expiry, expiries, expiryMoment } from './expiry.ts';
import { isIncompleteForSync, isSet, type ReadySet, reading, readySets, writing } from './permission-sets.ts';
import type { CreatedSecret } from './SecretModal.tsx';

/** Loaded lazily. Most keys are created without the calendar, which is larger than the rest of the page. */
const DateField = lazy(async () => ({ default: (await import('../../components/DateField.tsx')).DateField }));

interface PermissionsProps {
  chosen: Permission[];
  onChange(chosen: Permission[]): void;
  error: string | false;
}

function PermissionFields({ chosen, onChange, error }: PermissionsProps) {
  const t = useTexts({ en, de });
  const words = useWords();
  const list = (title: string, permissions: readonly Permission[]) => (
    <Stack gap="sm" role="group" aria-label={title}>
      <Text size="xs" fw={600} c="dimmed">
        {title}
      </Text>
      {permissions.map((permission) => (
        <Checkbox
          key={permission}
          value={permission}
          label={words.permission[permission]}
          description={words.permissionHint[permission]}
        />
      ))}
    </Stack>
  );
  return (
    <Stack gap="sm">
      <div>
        <Text size="sm" fw={600} id="ready-sets">
          {t('sets')}
        </Text>
        <Group gap={6} mt={4} role="group" aria-labelledby="ready-sets">
          {(Object.keys(readySets) as ReadySet[]).map((set) => {
            const isChosen = isSet(readySets[set], chosen);
            return (
              <Button
                key={set}
                size="compact-sm"
                variant={isChosen ? 'light' : 'default'}
                aria-pressed={isChosen}
                onClick={() => onChange([...readySets[set]])}
              >
                {t(set)}
              </Button>
            );
          })}
        </Group>
      </div>
      <Checkbox.Group<Permission>
        label={t('permissions')}
        description={t('permissionsHint')}
        value={chosen}
        onChange={onChange}
        error={error}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs" mb={4}>
          {list(t('reading'), reading)}
          {list(t('writing'), writing)}
        </SimpleGrid>
      </Checkbox.Group>
      {isIncompleteForSync(chosen) && (
        <Alert color="yellow" py="xs" role="status">
          {t('syncNeeds', { permission: words.permission['view-employees'] })}
        </Alert>
      )}
    </Stack>
  );
}

interface ExpiryProps {
  expiry: Expiry;
  day: string | null;
  onExpiry(expiry: Expiry): void;
  onDay(day: string | null): void;
  error: string | false;
}

function ExpiryFields({ expiry, day, onExpiry, onDay, error }: ExpiryProps) {
  const t = useTexts({ en, de });
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
  const t = useTexts({ en, de });
  const common = useCommonTexts();
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
    const onSuccess = (secret: { username: string; password: string }) => onCreated({ ...secret, permissions: chosen });
    create.mutate({ name: name.trim(), permissions: chosen, expiresAt }, { onSuccess });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          withAsterisk={false}
          pattern=".*\S.*"
          maxLength={100}
          autoComplete="off"
          data-autofocus
        />
        <PermissionFields chosen={chosen} onChange={setChosen} error={isSent && chosen.length === 0 && t('choose')} />
        <ExpiryFields
          expiry={expiry}
          day={day}
          onExpiry={setExpiry}
          onDay={setDay}
          error={isSent && isDayMissing && t('chooseDay')}
        />
        <ProblemAlert error={create.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
