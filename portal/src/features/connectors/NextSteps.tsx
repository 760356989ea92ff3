import { Anchor, Box, List } from '@mantine/core';
import { Link } from 'react-router';
import { useMe } from '../../app/api/me.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { texts } from './texts.ts';

const dryRun = '?dryRun=true';

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
    `  '${apiUrl}/hr-integrations/${id}/sync${dryRun}'`,
  ].join('\n');

/** Explains how to send the first roster to a new integration. */
export function NextSteps({ integrationId }: { integrationId: number }) {
  const t = useTexts(texts);
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
          {t('stepKeyLink')}
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
