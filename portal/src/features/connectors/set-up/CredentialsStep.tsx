import {
  Anchor,
  Button,
  Group,
  List,
  PasswordInput,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Provider } from '../../../../../src/domain/enums.ts';
import type { ConnectionCheck } from '../../../../../src/features/connectors/pull/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Section } from '../../../ui/Section.tsx';
import { ConnectionProblems } from './ConnectionProblems.tsx';
import { demoCredentials, type ProviderForm, providerForms } from './providers.ts';
import { texts } from './texts.ts';

type Field = ProviderForm['fields'][number];

/** Says where to create credentials and which permissions to tick. */
function Guide({ provider, title }: { provider: Provider; title: string }) {
  const t = useTexts(texts);
  const stem = provider === 'sftp-csv' ? 'sftp' : provider;
  const { documentation } = providerForms[provider];
  return (
    <Stack gap="xs">
      <Text fw={600} size="sm">
        {t('create', { provider: title })}
      </Text>
      <List type="ordered" size="sm" spacing={6}>
        <List.Item>{t(`${stem}Where`)}</List.Item>
        <List.Item>{t(`${stem}Tick`)}</List.Item>
        <List.Item>{t(`${stem}Attributes`)}</List.Item>
      </List>
      {documentation !== null && (
        <Anchor href={documentation} target="_blank" rel="noreferrer" size="sm" underline="always">
          {t('documentation', { provider: title })}
        </Anchor>
      )}
    </Stack>
  );
}

interface FieldProps {
  field: Field;
  value: string;
  onChange(value: string): void;
  error: string | undefined;
}

function CredentialInput({ field: { name, isSecret, isLong }, value, onChange, error }: FieldProps) {
  const t = useTexts(texts);
  const hints = { domain: t('domainHint'), hostKey: t('hostKeyHint'), path: t('pathHint') };
  const props = {
    label: t(name),
    description: name in hints ? hints[name as keyof typeof hints] : undefined,
    value,
    error,
    autoComplete: 'off',
    spellCheck: false,
    'data-1p-ignore': true,
  };
  if (isLong) {
    return <Textarea {...props} rows={4} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
  if (isSecret) {
    return (
      <PasswordInput
        {...props}
        autoComplete="new-password"
        onChange={(event) => onChange(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-hidden': true }}
      />
    );
  }
  return <TextInput {...props} onChange={(event) => onChange(event.currentTarget.value)} />;
}

export interface NewCredentials {
  name: string;
  credentials: Record<string, string>;
}

interface Props {
  provider: Provider;
  isDemo: boolean;
  title: string;
  /** Asks for a name, of an integration that does not exist yet. */
  asksName: boolean;
  note?: string;
  pending: boolean;
  error: unknown;
  /** What the last test found, if the credentials were not stored. */
  refused: ConnectionCheck | undefined;
  onSubmit(given: NewCredentials): void;
  onBack(): void;
}

/** Asks for credentials, which are tested before they are stored. */
export function CredentialsStep(props: Props) {
  const { provider, isDemo, title, asksName, note, pending, error, refused, onSubmit, onBack } = props;
  const t = useTexts(texts);
  const [name, setName] = useState(isDemo ? t('demo') : title);
  const [values, setValues] = useState<Record<string, string>>({});
  const [isChecked, setChecked] = useState(false);
  const { fields } = providerForms[provider];
  const missing = (field: Field) => !field.isOptional && !isDemo && (values[field.name] ?? '').trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (pending || (asksName && name.trim() === '') || fields.some(missing)) return;
    const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
    onSubmit({ name: name.trim(), credentials: isDemo ? demoCredentials : Object.fromEntries(given) });
  };
  return (
    <Section title={t('credentialsTitle', { provider: isDemo ? t('demo') : title })}>
      <form onSubmit={submit} noValidate autoComplete="off">
        <Stack>
          {note !== undefined && <Text size="sm">{note}</Text>}
          <SimpleGrid cols={{ base: 1, md: isDemo ? 1 : 2 }} spacing="xl">
            <Stack gap="sm">
              {asksName && (
                <TextInput
                  label={t('name')}
                  description={t('nameHint')}
                  value={name}
                  onChange={(event) => setName(event.currentTarget.value)}
                  error={isChecked && name.trim() === '' ? t('missing') : undefined}
                  maxLength={100}
                  autoComplete="off"
                />
              )}
              {!isDemo &&
                fields.map((field) => (
                  <CredentialInput
                    key={field.name}
                    field={field}
                    value={values[field.name] ?? ''}
                    onChange={(value) => setValues({ ...values, [field.name]: value })}
                    error={isChecked && missing(field) ? t('missing') : undefined}
                  />
                ))}
              {!isDemo && (
                <Text size="xs" c="dimmed">
                  {t('credentialsStored')}
                </Text>
              )}
            </Stack>
            {isDemo ? <Text size="sm">{t('demoHint')}</Text> : <Guide provider={provider} title={title} />}
          </SimpleGrid>
          {refused !== undefined && !pending && (
            <ConnectionProblems problems={refused.problems} provider={title} note={t('notStored')} />
          )}
          <ProblemAlert error={error} />
          <Group gap="xs">
            <Button type="submit" loading={pending}>
              {t(isDemo ? 'useDemo' : 'connect')}
            </Button>
            <Button variant="default" onClick={onBack} disabled={pending}>
              {t('back')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
