import { Button, Group } from '@mantine/core';
import { Link } from 'react-router';
import type { Provider } from '../../../../../src/domain/enums.ts';
import type { HrIntegration } from '../../../../../src/features/connectors/contract.ts';
import type { Connection } from '../../../../../src/features/connectors/pull/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { Facts } from '../../../ui/Facts.tsx';
import { TimeText } from '../../../ui/figures.tsx';
import { Section } from '../../../ui/Section.tsx';
import { texts } from './texts.ts';

const names: Record<Exclude<Provider, 'sftp-csv'>, string> = {
  personio: 'Personio',
  hibob: 'HiBob',
  bamboohr: 'BambooHR',
};

/** Shows where the integration reads from and when, with ways to change it. */
export function ConnectionSection({ integration, connection }: { integration: HrIntegration; connection: Connection }) {
  const t = useTexts(texts);
  const mayChange = useAbility('integrations');
  const { provider, nightlyTime, nextPullAt, mappingVersion } = connection;
  const step = (name: string, label: string) => (
    <Button
      component={Link}
      to={`/integrations/${integration.id}/setup?step=${name}`}
      variant="default"
      size="compact-sm"
    >
      {label}
    </Button>
  );
  return (
    <Section title={t('connection')}>
      <Facts
        labelWidth={180}
        facts={[
          [t('source'), provider === null || provider === 'sftp-csv' ? t('sftp') : names[provider]],
          [t('nightly'), nightlyTime],
          [t('nextPull'), nextPullAt === null ? t('noPull') : <TimeText key="at" at={nextPullAt} exact />],
          [t('mappingVersion'), String(mappingVersion)],
        ]}
      />
      {mayChange && integration.initialConnectionStatus !== 'incomplete' && (
        <Group gap="xs" mt="md">
          {step('mapping', t('changeMapping'))}
          {step('schedule', t('changeSchedule'))}
          {step('credentials', t('changeCredentials'))}
        </Group>
      )}
    </Section>
  );
}
