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
import { guideAddress } from '../../../app/guides.ts';
import { useLanguage } from '../../../app/i18n/language.tsx';
import { useReader } from '../../../app/i18n/reader.ts';
import { Action } from '../../../ui/Action.tsx';
import './set-up.css';
import { Form, useChangeForm } from '../../../ui/Form.tsx';
import { IconAlertTriangle } from '../../../ui/icons.gen.ts';
import { PlainSection, Section } from '../../../ui/layout.tsx';
import { MessageText } from '../../../ui/MessageText.tsx';
import { Hint, Small } from '../../../ui/text.tsx';
import { useConnect, useCreateIntegration } from '../api.ts';
import { RestChoice, restFields, useRestChoice } from './rest.tsx';
import { texts } from './texts.ts';

interface Field {
  name: 'clientId' | 'clientSecret' | 'serviceUserId' | 'token' | 'domain' | 'apiKey' | SftpField | RestField;
  isSecret?: boolean;
  isOptional?: boolean;
  /** Text of several lines, such as a key. */
  isLong?: boolean;
}
type RestField = 'baseUrl' | 'headerName' | 'tokenUrl' | 'scope';
type SftpField = 'host' | 'port' | 'user' | 'password' | 'privateKey' | 'hostKey' | 'path';

interface ProviderForm {
  /** What people call it. Absent: the texts name it. */
  title?: string;
  fields: readonly Field[];
}

const providerForms: Record<Provider, ProviderForm> = {
  personio: {
    title: 'Personio',
    fields: [{ name: 'clientId' }, { name: 'clientSecret', isSecret: true }],
  },
  hibob: {
    title: 'HiBob',
    fields: [{ name: 'serviceUserId' }, { name: 'token', isSecret: true }],
  },
  bamboohr: {
    title: 'BambooHR',
    fields: [{ name: 'domain' }, { name: 'apiKey', isSecret: true }],
  },
  // The way to authenticate decides about the others (`rest.tsx`).
  'http-json': { fields: [{ name: 'baseUrl' }] },
  'sftp-csv': {
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

/** How the names of the texts about a provider begin, if not with it. */
const stems = { 'sftp-csv': 'sftp', 'http-json': 'rest' } as const;
const stemOf = (provider: Provider) =>
  provider === 'sftp-csv' || provider === 'http-json' ? stems[provider] : provider;

const allRestFields: readonly Field[] = Object.values(restFields).flat();

/** Without what belongs to another way to authenticate. */
const restCredentials = (values: Record<string, string>, authentication: string) => ({
  ...Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== '')),
  authentication,
});

/** The credentials that connect to the fake of Personio on staging. */
const demoCredentials = { clientId: 'demo', clientSecret: 'demo' };

/** Returns a function that names an HR system as people call it. */
function useProviderTitle() {
  const { t } = useReader(texts);
  return (provider: Provider): string => providerForms[provider].title ?? t(provider === 'http-json' ? 'rest' : 'sftp');
}

/** Returns a function that names an HR system at the beginning of a sentence. */
export function useProviderName() {
  const { t } = useReader(texts);
  return (provider: Provider): string => providerForms[provider].title ?? t('hrSystem');
}

/** The HR system to read from, or the fake of it on staging. */
export interface Source {
  provider: Provider;
  isDemo: boolean;
}

/** How rosters arrive that are sent. */
export type Way = 'api' | 'upload';

interface Props {
  onChoose(source: Source): void;
  /** Absent: rosters cannot be sent to the integration that is being set up. */
  onSend?: (way: Way) => void;
}

export function ProviderCards({ onChoose, onSend }: Props) {
  const { t } = useReader(texts);
  const titleOf = useProviderTitle();
  const offersDemo = useMe().data?.offersDemo === true;
  const card = (title: string, hint: string, onClick: () => void) => (
    <UnstyledButton key={title} className="source-card" p="md" onClick={onClick}>
      <Text size="md" fw={600}>
        {title}
      </Text>
      <Hint mt={4}>{hint}</Hint>
    </UnstyledButton>
  );
  const grid = { cols: { base: 1, sm: 2, lg: 3 }, spacing: 'sm' } as const;
  return (
    <Stack gap="lg">
      <PlainSection title={t('readEveryNight')}>
        <SimpleGrid {...grid}>
          {(Object.keys(providerForms) as Provider[]).map((provider) =>
            card(titleOf(provider), t(`${stemOf(provider)}Hint`), () => onChoose({ provider, isDemo: false })),
          )}
          {offersDemo && card(t('demo'), t('demoHint'), () => onChoose({ provider: 'personio', isDemo: true }))}
        </SimpleGrid>
      </PlainSection>
      {onSend && (
        <PlainSection title={t('youSend')}>
          <SimpleGrid {...grid}>
            {(['upload', 'api'] as const).map((way) => card(t(way), t(`${way}Hint`), () => onSend(way)))}
          </SimpleGrid>
        </PlainSection>
      )}
    </Stack>
  );
}

type Problem = ConnectionCheck['problems'][number];

interface ConnectionProblemsProps {
  problems: readonly Problem[];
  /** What people call the HR system. */
  provider: string;
  /** What to do about all of them. */
  note: string;
}

export function ConnectionProblems({ problems, provider, note }: ConnectionProblemsProps) {
  const { t } = useReader(texts);
  const isMissing = problems.every(({ what }) => what !== null);
  /** Returns undefined if the sentence of the service needs no headline. */
  const headlineOf = ({ code, what }: Problem): string | undefined => {
    if ((code === 'permission-missing' || code === 'attribute-withheld') && what !== null)
      return t(code, { provider, what });
    return (code === 'unreachable' || code === 'rate-limited') && what === null ? t(code, { provider }) : undefined;
  };
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
            <List.Item key={`${problem.code} ${problem.what}`} className="breakable">
              {headline ?? explanation}
              {headline !== undefined && <Small>{explanation}</Small>}
            </List.Item>
          );
        })}
      </List>
      <Text mt="xs">{note}</Text>
    </Alert>
  );
}

function Guide({ provider, title }: { provider: Provider; title: string }) {
  const { t } = useReader(texts);
  const stem = stemOf(provider);
  const { language } = useLanguage();
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('create')}</Text>
      <List type="ordered" size="sm" spacing={6}>
        <List.Item>{t(`${stem}Where`)}</List.Item>
        <List.Item>{t(`${stem}Tick`)}</List.Item>
        <List.Item>{t(`${stem}Attributes`)}</List.Item>
      </List>
      <Anchor href={guideAddress(`connect-${stem}`, language)} target="_blank" underline="always">
        {t('guide', { provider: title })}
      </Anchor>
    </Stack>
  );
}

interface CredentialInputProps {
  field: Field;
  /** Replaces the name of the field. */
  label?: string | undefined;
}

function CredentialInput({ field: { name, isSecret, isLong, isOptional }, label, ...input }: CredentialInputProps) {
  const { t } = useReader(texts);
  const hints = { domain: t('domainHint'), hostKey: t('hostKeyHint'), path: t('pathHint') };
  const props = {
    ...input,
    label: label ?? t(name),
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

interface CredentialsStepProps extends Source {
  /** Absent: it is created with the name that is asked for, once, even if credentials are refused. */
  integrationId?: number;
  note?: string | undefined;
  onStored(integrationId: number): void;
  onBack(): void;
}

/** Asks for credentials, and stores them if they work. Refused ones can be corrected. */
export function CredentialsStep({ provider, isDemo, integrationId, note, onStored, onBack }: CredentialsStepProps) {
  const { t } = useReader(texts);
  const title = useProviderTitle()(provider);
  const name = useProviderName()(provider);
  const creation = useCreateIntegration();
  const connect = useConnect();
  const isRest = provider === 'http-json';
  const choice = useRestChoice(isRest, (values) => form.setValues(values));
  const fields: readonly Field[] = [...providerForms[provider].fields, ...choice.fields];
  const labels: Partial<Record<Field['name'], string>> = isRest
    ? { user: t('restUser'), password: t('restPassword'), token: t('restToken') }
    : {};
  const isPending = creation.isPending || connect.isPending;
  const form = useChangeForm({
    initial: {
      name: isDemo ? t('demo') : title,
      ...Object.fromEntries([...providerForms[provider].fields, ...allRestFields].map((field) => [field.name, ''])),
    } as Record<string, string>,
    change: {
      async mutateAsync({ name = '', ...values }: Record<string, string>) {
        const id =
          integrationId ?? (creation.data ?? (await creation.mutateAsync({ name, type: 'hr-integration' }))).id;
        const used = Object.fromEntries(fields.map((field) => [field.name, values[field.name] ?? '']));
        const credentials = isDemo ? demoCredentials : isRest ? restCredentials(used, choice.authentication) : values;
        const mapping = choice.mappingOf(integrationId === undefined);
        const { isStored } = await connect.mutateAsync({ id, provider, credentials, ...(mapping ? { mapping } : {}) });
        if (isStored) onStored(id);
      },
      isPending,
      error: creation.error ?? connect.error,
    },
    input: ({ name = '', ...values }) => ({
      name: name.trim(),
      ...Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== '')),
    }),
  });
  const back = <Action variant="default" onClick={onBack} disabled={isPending} label={t('back')} />;
  return (
    <Section title={t('credentialsTitle', { provider: isDemo ? t('demo') : title })}>
      <Form of={form} submitLabel={t(isDemo ? 'useDemo' : 'connect')} beside={back}>
        {note !== undefined && <Text>{note}</Text>}
        <SimpleGrid cols={{ base: 1, md: isDemo ? 1 : 2 }} spacing="xl">
          <Stack gap="sm">
            {integrationId === undefined && creation.data === undefined && (
              <TextInput
                {...form.field('name', t('name'))}
                description={t('nameHint')}
                required
                pattern=".*\S.*"
                maxLength={100}
                autoComplete="off"
              />
            )}
            {isRest && <RestChoice choice={choice} />}
            {!isDemo &&
              fields.map((field) => (
                <CredentialInput
                  key={field.name}
                  field={field}
                  label={labels[field.name]}
                  {...form.getInputProps(field.name)}
                />
              ))}
            {!isDemo && <Small>{t('credentialsStored')}</Small>}
          </Stack>
          {isDemo ? <Text>{t('demoHint')}</Text> : <Guide provider={provider} title={title} />}
        </SimpleGrid>
        {connect.data?.isStored === false && !isPending && (
          <ConnectionProblems problems={connect.data.problems} provider={name} note={t('notStored')} />
        )}
      </Form>
    </Section>
  );
}
