import {
  Alert,
  Anchor,
  List,
  PasswordInput,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import type { Provider } from '../../../../../src/domain/enums.ts';
import type { ConnectionCheck } from '../../../../../src/features/connectors/pull/contract.ts';
import { useMe } from '../../../app/api/me.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action } from '../../../ui/Action.tsx';
import { texts } from './texts.ts';
import './set-up.css';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { PlainSection, Section } from '../../../ui/layout.tsx';
import { MessageText } from '../../../ui/MessageText.tsx';
import { Hint, Small } from '../../../ui/text.tsx';

interface CredentialField {
  name: 'clientId' | 'clientSecret' | 'serviceUserId' | 'token' | 'domain' | 'apiKey' | SftpField;
  isSecret?: boolean;
  isOptional?: boolean;
  /** Text of several lines, such as a key. */
  isLong?: boolean;
}
type SftpField = 'host' | 'port' | 'user' | 'password' | 'privateKey' | 'hostKey' | 'path';

interface ProviderForm {
  /** What people call it. Null: the texts name it. */
  title: string | null;
  /** The provider's own documentation of its API. */
  documentation: string | null;
  fields: readonly CredentialField[];
}

const providerForms: Record<Provider, ProviderForm> = {
  personio: {
    title: 'Personio',
    documentation: 'https://developer.personio.de/docs',
    fields: [{ name: 'clientId' }, { name: 'clientSecret', isSecret: true }],
  },
  hibob: {
    title: 'HiBob',
    documentation: 'https://apidocs.hibob.com/docs',
    fields: [{ name: 'serviceUserId' }, { name: 'token', isSecret: true }],
  },
  bamboohr: {
    title: 'BambooHR',
    documentation: 'https://documentation.bamboohr.com/docs',
    fields: [{ name: 'domain' }, { name: 'apiKey', isSecret: true }],
  },
  'sftp-csv': {
    title: null,
    documentation: null,
    fields: [
      { name: 'host' },
      { name: 'port', isOptional: true },
      { name: 'user' },
      { name: 'password', isSecret: true, isOptional: true },
      { name: 'privateKey', isSecret: true, isOptional: true, isLong: true },
      { name: 'hostKey' },
      { name: 'path' },
    ],
  },
};

/** The credentials that connect to the fake of Personio on staging. */
const demoCredentials = { clientId: 'demo', clientSecret: 'demo' };

/**
 * Absences of months rather than days, in German and English. Only these pause a subscription, so the others need not
 * be read.
 */
const longAbsence =
  /eltern|mutterschutz|sabbat|unbezahlt|langzeit|krankengeld|pflegezeit|parental|matern|patern|unpaid|long.?term|care leave/i;

export const isSuggested = (name: string) => longAbsence.test(name);

/** Returns a function that names an HR system as people call it. */
export function useProviderTitle() {
  const { t } = useReader(texts);
  return (provider: Provider): string => providerForms[provider].title ?? t('sftp');
}

function SourceCard({ title, hint, onClick }: { title: string; hint: string; onClick(): void }) {
  return (
    <UnstyledButton className="source-card" p="md" onClick={onClick}>
      <Text size="md" fw={600}>
        {title}
      </Text>
      <Hint mt={4}>{hint}</Hint>
    </UnstyledButton>
  );
}

interface Props {
  onChoose(provider: Provider, isDemo: boolean): void;
  /** Absent: rosters cannot be sent to the integration that is being set up. */
  onApi?: () => void;
  onUpload?: () => void;
}

export function ProviderCards({ onChoose, onApi, onUpload }: Props) {
  const { t } = useReader(texts);
  const offersDemo = useMe().data?.offersDemo === true;
  const grid = { cols: { base: 1, sm: 2, lg: 3 }, spacing: 'sm' } as const;
  return (
    <Stack gap="lg">
      <PlainSection title={t('readEveryNight')}>
        <SimpleGrid {...grid}>
          <SourceCard title="Personio" hint={t('personioHint')} onClick={() => onChoose('personio', false)} />
          <SourceCard title="HiBob" hint={t('hibobHint')} onClick={() => onChoose('hibob', false)} />
          <SourceCard title="BambooHR" hint={t('bamboohrHint')} onClick={() => onChoose('bamboohr', false)} />
          <SourceCard title={t('sftp')} hint={t('sftpHint')} onClick={() => onChoose('sftp-csv', false)} />
          {offersDemo && (
            <SourceCard title={t('demo')} hint={t('demoHint')} onClick={() => onChoose('personio', true)} />
          )}
        </SimpleGrid>
      </PlainSection>
      {onApi && (
        <PlainSection title={t('youSend')}>
          <SimpleGrid {...grid}>
            {onUpload && <SourceCard title={t('upload')} hint={t('uploadHint')} onClick={onUpload} />}
            <SourceCard title={t('api')} hint={t('apiHint')} onClick={onApi} />
          </SimpleGrid>
        </PlainSection>
      )}
    </Stack>
  );
}

type Problem = ConnectionCheck['problems'][number];

/** Returns a headline for what the service explains, or undefined if its sentence needs none. */
function useHeadline(provider: string) {
  const { t } = useReader(texts);
  return ({ code, what }: Problem): string | undefined => {
    if ((code === 'permission-missing' || code === 'attribute-withheld') && what !== null)
      return t(code, { provider, what });
    return (code === 'unreachable' || code === 'rate-limited') && what === null ? t(code, { provider }) : undefined;
  };
}

export function ConnectionProblems({ problems, provider, note }: ConnectionProblemsProps) {
  const { t } = useReader(texts);
  const headlineOf = useHeadline(provider);
  const isMissing = problems.every(({ what }) => what !== null);
  return (
    <Alert
      color={isMissing ? 'orange' : 'red'}
      icon={<IconAlertTriangle size={18} />}
      role="alert"
      {...(isMissing ? { title: t('checkProblems', { count: problems.length }) } : {})}
    >
      <List size="sm" spacing={6} listStyleType={problems.length > 1 ? 'disc' : 'none'}>
        {problems.map((problem) => {
          const headline = headlineOf(problem);
          const explanation = <MessageText message={problem.message} detail={problem.detail} />;
          return (
            <List.Item key={`${problem.code} ${problem.what}`} style={{ overflowWrap: 'anywhere' }}>
              {headline ?? explanation}
              {headline !== undefined && <Small>{explanation}</Small>}
            </List.Item>
          );
        })}
      </List>
      {note !== undefined && <Text mt="xs">{note}</Text>}
    </Alert>
  );
}

interface ConnectionProblemsProps {
  problems: readonly Problem[];
  /** What people call the HR system. */
  provider: string;
  /** What to do about all of them. */
  note?: string;
}

type Field = ProviderForm['fields'][number];

function Guide({ provider, title }: { provider: Provider; title: string }) {
  const { t } = useReader(texts);
  const stem = provider === 'sftp-csv' ? 'sftp' : provider;
  const { documentation } = providerForms[provider];
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('create', { provider: title })}</Text>
      <List type="ordered" size="sm" spacing={6}>
        <List.Item>{t(`${stem}Where`)}</List.Item>
        <List.Item>{t(`${stem}Tick`)}</List.Item>
        <List.Item>{t(`${stem}Attributes`)}</List.Item>
      </List>
      {documentation !== null && (
        <Anchor href={documentation} target="_blank" rel="noreferrer" underline="always">
          {t('documentation', { provider: title })}
        </Anchor>
      )}
    </Stack>
  );
}

function CredentialInput({ field: { name, isSecret, isLong, isOptional }, ...input }: { field: Field }) {
  const { t } = useReader(texts);
  const hints = { domain: t('domainHint'), hostKey: t('hostKeyHint'), path: t('pathHint') };
  const props = {
    ...input,
    label: t(name),
    description: name in hints ? hints[name as keyof typeof hints] : undefined,
    required: !isOptional,
    // Not blank.
    pattern: '.*\\S.*',
    autoComplete: isSecret ? 'new-password' : 'off',
    spellCheck: false,
    'data-1p-ignore': true,
  };
  if (isLong) return <Textarea {...props} rows={4} />;
  if (isSecret) return <PasswordInput {...props} visibilityToggleButtonProps={{ 'aria-hidden': true }} />;
  return <TextInput {...props} />;
}

export interface NewCredentials {
  name: string;
  credentials: Record<string, string>;
}

interface CredentialsStepProps {
  provider: Provider;
  isDemo: boolean;
  title: string;
  /** Asks for a name, of an integration that does not exist yet. */
  asksName: boolean;
  note?: string;
  change: { mutateAsync(given: NewCredentials): Promise<unknown>; isPending: boolean; error: Error | null };
  /** What the last test found, if the credentials were not stored. */
  refused: ConnectionCheck | undefined;
  onBack(): void;
}

export function CredentialsStep(props: CredentialsStepProps) {
  const { provider, isDemo, title, asksName, note, change, refused, onBack } = props;
  const { t } = useReader(texts);
  const { fields } = providerForms[provider];
  const form = useChangeForm({
    initial: {
      name: isDemo ? t('demo') : title,
      ...Object.fromEntries(fields.map((field) => [field.name, ''])),
    } as Record<string, string>,
    change,
    input: ({ name = '', ...values }) => ({
      name: name.trim(),
      credentials: isDemo
        ? demoCredentials
        : Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== '')),
    }),
  });
  const back = <Action variant="default" onClick={onBack} disabled={change.isPending} label={t('back')} />;
  return (
    <Section title={t('credentialsTitle', { provider: isDemo ? t('demo') : title })}>
      <Form of={form} submitLabel={t(isDemo ? 'useDemo' : 'connect')} beside={back}>
        {note !== undefined && <Text>{note}</Text>}
        <SimpleGrid cols={{ base: 1, md: isDemo ? 1 : 2 }} spacing="xl">
          <Stack gap="sm">
            {asksName && (
              <TextInput
                {...form.field('name', t('name'))}
                description={t('nameHint')}
                required
                pattern=".*\S.*"
                maxLength={100}
                autoComplete="off"
              />
            )}
            {!isDemo &&
              fields.map((field) => (
                <CredentialInput key={field.name} field={field} {...form.getInputProps(field.name)} />
              ))}
            {!isDemo && <Small>{t('credentialsStored')}</Small>}
          </Stack>
          {isDemo ? <Text>{t('demoHint')}</Text> : <Guide provider={provider} title={title} />}
        </SimpleGrid>
        {refused !== undefined && !change.isPending && (
          <ConnectionProblems problems={refused.problems} provider={title} note={t('notStored')} />
        )}
      </Form>
    </Section>
  );
}
