import { Anchor, Box, Group, List, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useMe } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { CodeBlock, Secret } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { NameForm } from '../../ui/fields.tsx';
import { useCreateIntegration } from './api.ts';
import { texts } from './texts.ts';

/** Returns a command that is ready to paste except for the key, which the portal does not know. */
const exampleCall = (apiUrl: string, id: number, startDate: string) =>
  [
    "curl -u 'USERNAME:PASSWORD' \\",
    "  -H 'Content-Type: application/json' \\",
    "  -d '{",
    '    "syncId": "first-sync",',
    '    "employees": [{',
    '      "hrId": "E-1001",',
    '      "firstName": "Anna",',
    '      "lastName": "Müller",',
    '      "email": "anna.mueller@example.com",',
    `      "startDate": "${startDate}",`,
    '      "autoSyncEmployee": true',
    '    }]',
    "  }' \\",
    `  '${apiUrl}/hr-integrations/${id}/sync?dryRun=true'`,
  ].join('\n');

/** Explains how to send the first roster to a new integration. */
export function NextSteps({ integrationId }: { integrationId: number }) {
  const { t } = useReader(texts);
  const me = useMe().data;
  if (me === undefined) return null;
  return (
    <List
      type="ordered"
      size="sm"
      spacing="xs"
      styles={{ itemWrapper: { display: 'block' }, itemLabel: { display: 'block' } }}
    >
      <List.Item>
        {t('stepKey')}{' '}
        <Anchor component={Link} to="/keys" inherit underline="always">
          {t('toKeys')}
        </Anchor>
      </List.Item>
      <List.Item>
        {t('stepTry')}
        <Box mt={6}>
          <CodeBlock code={exampleCall(me.apiUrl, integrationId, me.today)} label={t('example')} />
        </Box>
      </List.Item>
      <List.Item>{t('stepSend', { option: 'dryRun=true' })}</List.Item>
      <List.Item>{t('stepWatch')}</List.Item>
    </List>
  );
}

interface Props {
  opened: boolean;
  /** How rosters will arrive. */
  way: 'api' | 'upload';
  onClose(isCreated: boolean): void;
}

export function CreateIntegration({ opened, way, onClose }: Props) {
  const { t } = useReader(texts);
  const creation = useCreateIntegration();
  const created = creation.data;
  const close = () => onClose(created !== undefined);
  return (
    <Dialog
      opened={opened}
      onClose={close}
      onExitTransitionEnd={creation.reset}
      size="lg"
      title={created ? t('createdTitle', { name: created.name }) : t('createTitle')}
    >
      {created ? (
        <Stack>
          {way === 'upload' ? (
            <Text>{t('uploadNext')}</Text>
          ) : (
            <>
              <Secret label={t('id')} value={String(created.id)} />
              <Title order={3}>{t('nextSteps')}</Title>
              <NextSteps integrationId={created.id} />
            </>
          )}
          <Group justify="flex-end" gap="xs">
            <Action variant="default" onClick={close} label={t('close')} />
            <Action
              to={`/integrations/${created.id}${way === 'upload' ? '/upload' : ''}`}
              label={t(way === 'upload' ? 'uploadOpen' : 'toIntegration')}
            />
          </Group>
        </Stack>
      ) : (
        <NameForm
          label={t('name')}
          description={t('nameHint')}
          submitLabel={t('submit')}
          change={{
            ...creation,
            mutateAsync: (name: string) => creation.mutateAsync({ name, type: 'api-integration' }),
          }}
          onCancel={close}
        >
          {way === 'api' && <Text>{t('createHint')}</Text>}
        </NameForm>
      )}
    </Dialog>
  );
}
