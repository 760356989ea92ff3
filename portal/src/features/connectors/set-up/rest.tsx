import { Code, NativeSelect, SimpleGrid, Stack, Textarea, Title } from '@mantine/core';
import { useState } from 'react';
import type { Requests, Template } from '../../../../../src/features/connectors/pull/contract.ts';
import { useGet } from '../../../app/api/queries.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { SmallAction } from '../../../ui/Action.tsx';
import { Hint } from '../../../ui/text.tsx';
import { texts } from './texts.ts';

const authentications = ['bearer', 'basic', 'header', 'oauth2', 'key-pair'] as const;
type Authentication = (typeof authentications)[number];

const tokenFields = [{ name: 'tokenUrl' }, { name: 'clientId' }, { name: 'clientSecret', isSecret: true }] as const;

/** What each way to authenticate needs, beside the base URL. */
export const restFields = {
  bearer: [{ name: 'token', isSecret: true }],
  basic: [{ name: 'user' }, { name: 'password', isSecret: true }],
  header: [{ name: 'headerName' }, { name: 'token', isSecret: true }],
  oauth2: [...tokenFields, { name: 'scope', isOptional: true }],
  'key-pair': tokenFields,
} as const;

const useTemplates = (enabled: boolean) =>
  useGet<Template[]>(['connector-templates'], '/connector-templates', { enabled, staleTime: Number.POSITIVE_INFINITY })
    .data ?? [];

/** Which template and authentication are chosen for a REST API. `preset` fills the form. */
export function useRestChoice(isRest: boolean, preset: (values: Template['credentials']) => void) {
  const templates = useTemplates(isRest);
  const [name, setName] = useState<string>();
  const [authentication, setAuthentication] = useState<Authentication>('bearer');
  const find = (wanted: string) => templates.find((template) => template.name === wanted);
  const choose = (wanted: string) => {
    const credentials = find(wanted)?.credentials ?? {};
    const given = authentications.find((one) => one === credentials.authentication);
    setName(wanted);
    if (given !== undefined) setAuthentication(given);
    preset(credentials);
  };
  return {
    templates,
    name,
    choose,
    authentication,
    setAuthentication,
    fields: isRest ? restFields[authentication] : [],
    /** Undefined: the stored mapping stays. */
    mappingOf: (isNew: boolean) => (isRest ? find(name ?? (isNew ? 'generic' : ''))?.mapping : undefined),
  };
}

export function RestChoice({ choice }: { choice: ReturnType<typeof useRestChoice> }) {
  const { t } = useReader(texts);
  const { templates, name, choose, authentication, setAuthentication } = choice;
  return (
    <>
      <NativeSelect
        label={t('template')}
        description={t('templateHint')}
        data={templates.map((template) => ({ value: template.name, label: template.title ?? t('templateGeneric') }))}
        value={name ?? 'generic'}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <NativeSelect
        label={t('authentication')}
        data={authentications.map((value) => ({ value, label: t(value) }))}
        value={authentication}
        onChange={(event) => setAuthentication(event.currentTarget.value as Authentication)}
      />
    </>
  );
}

interface RequestsPartProps {
  requests: Requests;
  sample: string | undefined;
  pending: boolean;
  onChange(requests: Requests): void;
  onReload(requests: Requests): void;
}

function parse(text: string): Requests | undefined {
  try {
    return JSON.parse(text) as Requests;
  } catch {
    return undefined;
  }
}

/** Edits what is asked for, beside the first page that the API returns. */
export function RequestsPart({ requests, sample, pending, onChange, onReload }: RequestsPartProps) {
  const { t } = useReader(texts);
  const [text, setText] = useState(() => JSON.stringify(requests, null, 2));
  const parsed = parse(text);
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <Stack gap="xs" align="flex-start">
        <Textarea
          label={t('requests')}
          description={t('requestsHint')}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            const next = parse(event.currentTarget.value);
            if (next !== undefined) onChange(next);
          }}
          error={parsed === undefined && t('requestsWrong')}
          autosize
          minRows={12}
          maxRows={28}
          w="100%"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <SmallAction
          onClick={() => parsed && onReload(parsed)}
          disabled={parsed === undefined}
          loading={pending}
          label={t('reload')}
        />
      </Stack>
      <Stack gap="xs">
        <Title order={3}>{t('firstPage')}</Title>
        <Hint>{t(sample === undefined ? 'noFirstPage' : 'firstPageHint')}</Hint>
        {sample !== undefined && (
          <Code block mah={480} style={{ overflow: 'auto' }} tabIndex={0} role="region" aria-label={t('firstPage')}>
            {sample}
          </Code>
        )}
      </Stack>
    </SimpleGrid>
  );
}
