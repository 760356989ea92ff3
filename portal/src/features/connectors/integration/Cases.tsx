import { Button, Group, Stack, Text } from '@mantine/core';
import type { IntegrationCase } from '../../../../../src/features/connectors/cases/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useChange, useGet } from '../../../app/api/queries.ts';
import { at, pathTo, post, remove } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { SmallAction } from '../../../ui/Action.tsx';
import { ConfirmChange, useDialog } from '../../../ui/Dialog.tsx';
import { Section } from '../../../ui/layout.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Hint, TimeText } from '../../../ui/text.tsx';
import { touched } from '../api.ts';
import { texts } from './case-texts.ts';

const pollMillis = 15_000;

interface Props {
  integrationId: number;
}

function State({ one }: { one: IntegrationCase }) {
  const { t } = useReader(texts);
  const { kind, isRecording, isReady, exchanges, endsAt, erasedAt, requestedBy } = one;
  const open = isRecording ? (kind === 'pull' ? 'waiting' : 'recording') : 'missed';
  return (
    <Stack gap={0}>
      {(isRecording || !isReady) && (
        <Text>
          {t(open)} <TimeText at={endsAt} exact />
        </Text>
      )}
      {isReady && (
        <Text>
          {t('ready', { count: exchanges })} <TimeText at={erasedAt} exact />
        </Text>
      )}
      <Hint>{t('by', { name: requestedBy })}</Hint>
    </Stack>
  );
}

/** Renders the recorded runs of an integration, and lets users record the next one. */
export function CasesSection({ integrationId, kind }: Props & { kind: IntegrationCase['kind'] }) {
  const { t } = useReader(texts);
  const mayChange = useAbility('integrations');
  const { show, dialog } = useDialog();
  const path = at`/integrations/${integrationId}/cases`;
  const { data: cases } = useGet<IntegrationCase[]>(['integrations', integrationId, 'cases'], path, {
    refetchInterval: pollMillis,
  });
  const request = useChange(() => post<IntegrationCase>(path), touched);
  const erase = useChange((id: number) => remove(at`/integrations/${integrationId}/cases/${id}`), touched);
  if (cases === undefined || (!mayChange && cases.length === 0)) return null;
  const ask = (id: number) =>
    show((modal) => (
      <ConfirmChange
        {...modal}
        change={erase}
        input={id}
        done={t('erased')}
        title={t('erase')}
        confirmLabel={t('erase')}
        danger
      >
        {t('eraseText')}
      </ConfirmChange>
    ));
  return (
    <Section title={t('title')}>
      {dialog}
      <Stack gap="sm">
        <Text>{t(kind)}</Text>
        <ProblemAlert error={request.error} />
        {cases.map((one) => (
          <Group key={one.id} justify="space-between" gap="xs">
            <State one={one} />
            {mayChange && (
              <Group gap="xs">
                {one.isReady && (
                  <Button
                    component="a"
                    href={pathTo(at`/integrations/${integrationId}/cases/${one.id}`)}
                    download
                    size="xs"
                    variant="default"
                  >
                    {t('download')}
                  </Button>
                )}
                <SmallAction onClick={() => ask(one.id)} label={t('erase')} />
              </Group>
            )}
          </Group>
        ))}
        {mayChange && !cases.some(({ isRecording }) => isRecording) && (
          <Group>
            <SmallAction
              onClick={() => request.mutate(undefined)}
              loading={request.isPending}
              label={t(kind === 'pull' ? 'requestPull' : 'requestScim')}
            />
          </Group>
        )}
      </Stack>
    </Section>
  );
}
