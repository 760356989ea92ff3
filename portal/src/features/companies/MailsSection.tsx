import { Anchor, Box, Group, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { MailSettings, MailSettingsBody } from '../../../../src/features/employee-mails/contract.ts';
import { useAbility, useMe } from '../../app/api/me.ts';
import { useGet, usePost } from '../../app/api/queries.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { Section } from '../../ui/layout.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { Query } from '../../ui/Query.tsx';
import { Hint } from '../../ui/text.tsx';
import { texts } from './texts.ts';

const useSave = () => usePost<MailSettings, MailSettingsBody>('/settings/mails', ['mail-settings', 'activity']);

function MailLine({ kind, isOn }: MailSettings['mails'][number]) {
  const { words } = useReader(texts);
  const save = useSave();
  const wanted = save.variables?.mails?.[0]?.isOn;
  return (
    <div>
      <Switch
        label={words.employeeMail[kind]}
        // The new state shows at once, and the old one again if it could not be saved.
        checked={save.isPending && wanted !== undefined ? wanted : isOn}
        onChange={(event) => save.mutate({ mails: [{ kind, isOn: event.currentTarget.checked }] })}
      />
      <ProblemAlert error={save.error} />
    </div>
  );
}

function ReplyTo({ replyTo }: Pick<MailSettings, 'replyTo'>) {
  const { t } = useReader(texts);
  const [text, setText] = useState(replyTo ?? '');
  const save = useSave();
  const isChanged = text.trim() !== (replyTo ?? '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ replyTo: text.trim() || null });
      }}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          flex={1}
          maw={420}
          miw={220}
          type="email"
          label={t('replyTo')}
          value={text}
          maxLength={254}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
        />
        <Action
          type="submit"
          variant="default"
          disabled={!isChanged}
          loading={save.isPending}
          label={t('saveReplyTo')}
        />
      </Group>
      <Hint mt={4}>{t('replyToHint')}</Hint>
      <ProblemAlert error={save.error} />
    </form>
  );
}

/** Which mails employees get, and where their answers go. */
export function MailsSection() {
  const { t } = useReader(texts);
  const isStaging = useMe().data?.environment === 'staging';
  const maySeeKept = useAbility('kept-mails');
  return (
    <Section title={t('mailsTitle')}>
      {/* As high as the switches from the start, so that nothing below moves when they arrive. */}
      <Box mih={{ base: 560, sm: 400 }}>
        <Query of={useGet<MailSettings>(['mail-settings'], '/settings/mails')} skeleton={false}>
          {({ replyTo, mails, reaches }) => (
            <Stack gap="md">
              <Hint>{t('mailsHint')}</Hint>
              {reaches !== 'everybody' && (
                <Hint>
                  {t(isStaging ? (reaches === 'nobody' ? 'mailsToNobody' : 'mailsToListed') : 'noMailServer')}
                  {isStaging && maySeeKept && (
                    <>
                      {' '}
                      <Anchor component={Link} to="/kept-mails" inherit underline="always">
                        {t('showKept')}
                      </Anchor>
                    </>
                  )}
                </Hint>
              )}
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
                {mails.map((mail) => (
                  <MailLine key={mail.kind} {...mail} />
                ))}
              </SimpleGrid>
              <ReplyTo key={replyTo} replyTo={replyTo} />
            </Stack>
          )}
        </Query>
      </Box>
    </Section>
  );
}
