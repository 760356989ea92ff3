import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ScimSettingsBody, ScimState, ScimToken } from '../../../../../src/features/scim/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useChange, useGet, usePost } from '../../../app/api/queries.ts';
import { at, post } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { SmallAction } from '../../../ui/Action.tsx';
import { Secret } from '../../../ui/copy.tsx';
import { ConfirmChange, type DialogState, SecretDialog, useDialog } from '../../../ui/Dialog.tsx';
import { Section } from '../../../ui/layout.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { syncAddress, TimeText } from '../../../ui/text.tsx';
import { touched } from '../api.ts';
import { texts } from './scim-texts.ts';

const pollMillis = 15_000;

interface Props {
  integrationId: number;
  state: ScimState;
}

function NewToken({ integrationId, state, ...modal }: Props & DialogState) {
  const { t } = useReader(texts);
  const create = useChange(() => post<ScimToken>(at`/integrations/${integrationId}/scim/token`), touched);
  return (
    <SecretDialog<ScimToken>
      {...modal}
      title={t(state.token === null ? 'create' : 'replace')}
      secretTitle={t('created')}
      hint={t('next')}
      doneLabel={t('done')}
      form={(onCreated) => (
        <Stack>
          <Text>{t(state.token === null ? 'createText' : 'replaceText')}</Text>
          <ProblemAlert error={create.error} />
          <Group justify="flex-end">
            <SmallAction
              onClick={() => create.mutate(undefined, { onSuccess: onCreated })}
              loading={create.isPending}
              label={t(state.token === null ? 'create' : 'replace')}
            />
          </Group>
        </Stack>
      )}
    >
      {({ url, token }) => (
        <>
          <Secret label={t('url')} value={url} />
          <Secret label={t('token')} value={token} once />
        </>
      )}
    </SecretDialog>
  );
}

function RevokeToken({ integrationId, state: _, ...modal }: Props & DialogState) {
  const { t } = useReader(texts);
  return (
    <ConfirmChange
      {...modal}
      change={useChange(() => post<void>(at`/integrations/${integrationId}/scim/token/revoke`), touched)}
      input={undefined}
      done={t('revoked')}
      title={t('revoke')}
      confirmLabel={t('revoke')}
      danger
    >
      {t('revokeText')}
    </ConfirmChange>
  );
}

function ChangeHrId({ integrationId, state, ...modal }: Props & DialogState) {
  const { t } = useReader(texts);
  const hrIdAttribute = state.hrIdAttribute === 'externalId' ? 'employeeNumber' : 'externalId';
  return (
    <ConfirmChange
      {...modal}
      change={usePost<ScimState, ScimSettingsBody>(at`/integrations/${integrationId}/scim/settings`, touched)}
      input={{ hrIdAttribute }}
      done={t('hrIdChanged')}
      title={t('hrIdChange')}
      confirmLabel={t('hrIdChange')}
    >
      {t('hrIdText', { attribute: hrIdAttribute })}
    </ConfirmChange>
  );
}

function State({ integrationId, state }: Props) {
  const { t } = useReader(texts);
  const { token, users, activeUsers, waitingChanges, nextSyncAt, heldRemovals, hrIdAttribute } = state;
  return (
    <>
      <Text>{t('on', { users, active: activeUsers, attribute: hrIdAttribute })}</Text>
      {token?.lastUsedAt && (
        <Text>
          {t('used')} <TimeText at={token.lastUsedAt} exact />
        </Text>
      )}
      {token?.previousUntil && (
        <Text>
          {t('previous')} <TimeText at={token.previousUntil} exact />
        </Text>
      )}
      {waitingChanges > 0 && nextSyncAt !== null && (
        <Text>
          {t('waiting', { count: waitingChanges })} <TimeText at={nextSyncAt} exact />
        </Text>
      )}
      {heldRemovals !== null && (
        <Text>
          {t('held', { count: heldRemovals.count })}{' '}
          <Anchor component={Link} to={syncAddress(integrationId, heldRemovals.syncId)} inherit>
            {t('decide')}
          </Anchor>
        </Text>
      )}
    </>
  );
}

/** Renders whether an identity provider keeps the roster, and what it has sent. */
export function ScimSection({ integrationId }: { integrationId: number }) {
  const { t } = useReader(texts);
  const mayChange = useAbility('integrations');
  const { show, dialog } = useDialog();
  const { data: state } = useGet<ScimState>(
    ['integrations', integrationId, 'scim'],
    at`/integrations/${integrationId}/scim`,
    {
      refetchInterval: pollMillis,
    },
  );
  if (state === undefined) return null;
  const open = (Modal: typeof NewToken) =>
    show((modal) => <Modal integrationId={integrationId} state={state} {...modal} />);
  return (
    <Section title={t('title')}>
      {dialog}
      <Stack gap="xs">
        {state.token === null ? <Text>{t('off')}</Text> : <State integrationId={integrationId} state={state} />}
        {mayChange && (
          <Group gap="xs">
            <SmallAction onClick={() => open(NewToken)} label={t(state.token === null ? 'create' : 'replace')} />
            {state.token !== null && <SmallAction onClick={() => open(ChangeHrId)} label={t('hrIdChange')} />}
            {state.token !== null && <SmallAction onClick={() => open(RevokeToken)} label={t('revoke')} />}
          </Group>
        )}
      </Stack>
    </Section>
  );
}
