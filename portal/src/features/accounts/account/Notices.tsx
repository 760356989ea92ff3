import { Stack, Switch, Text } from '@mantine/core';
import type { NoticeSettings } from '../../../../../src/features/notices/contract.ts';
import { useMe } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { Section } from '../../../ui/Section.tsx';
import { useNotices, useSwitchNotice } from '../api.ts';
import { texts } from './texts.ts';

function NoticeSwitch({ notice, isOn }: NoticeSettings['notices'][number]) {
  const t = useTexts(texts);
  const change = useSwitchNotice();
  return (
    <div>
      <Switch
        label={t(notice)}
        // The new state shows at once, and the old one again if it could not be saved.
        checked={change.isPending ? change.variables.isOn : isOn}
        onChange={(event) => change.mutate({ notice, isOn: event.currentTarget.checked })}
      />
      <ProblemAlert error={change.error} />
    </div>
  );
}

/** Lets users choose which notices they get by mail. */
export function Notices() {
  const t = useTexts(texts);
  const email = useMe().data?.user.email ?? '';
  const { data, error, refetch } = useNotices();
  const isEmpty = data?.notices.length === 0;
  const hint = isEmpty ? t('noNotices') : data?.isMailConfigured === false ? t('noMail') : t('noticesHint', { email });
  return (
    <Section title={t('noticesTitle')}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      <Stack>
        {data && <Text size="sm">{hint}</Text>}
        {data?.notices.map((one) => (
          <NoticeSwitch key={one.notice} {...one} />
        ))}
      </Stack>
    </Section>
  );
}
