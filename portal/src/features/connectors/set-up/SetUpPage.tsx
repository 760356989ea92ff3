import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { Connection, Mapping, RulesBody } from '../../../../../src/features/connectors/pull/contract.ts';
import type { HrIntegration } from '../../../../../src/features/integrations/contract.ts';
import { usePost } from '../../../app/api/queries.ts';
import { at } from '../../../app/api/request.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { IconPlugConnectedX } from '../../../ui/icons.gen.ts';
import { Page } from '../../../ui/layout.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import { EmptyState, Query, RoleGate, RowsSkeleton } from '../../../ui/Query.tsx';
import { touched, useConnection, useConnectionCheck, useIntegration, useRequestPull } from '../api.ts';
import { CredentialsStep, ProviderCards, type Source, useProviderName } from './credentials.tsx';
import { MappingStep } from './mapping.tsx';
import { allSteps, CheckStep, PreviewStep, type Scheduled, ScheduleStep, type Step, Steps } from './steps.tsx';
import { texts } from './texts.ts';

interface Props {
  integration: HrIntegration;
  connection: Connection;
}

const isStep = (text: string | null): text is Step => (allSteps as readonly string[]).includes(text ?? '');

/** Returns the step in the address, or the first one that has something to do. */
function useStep({ integration, connection }: Props) {
  const [search, setSearch] = useSearchParams();
  const given = search.get('step');
  const first = connection.provider === null || integration.status === 'invalid' ? 'credentials' : 'check';
  const step = isStep(given) && connection.provider !== null ? given : first;
  return { step, goTo: (next: Step) => setSearch({ step: next }) };
}

interface CredentialsProps extends Props {
  onStored(): void;
  onBack(): void;
}

/** Asks which HR system to read from, unless the integration is set up, and for its credentials. */
function Credentials({ integration, connection, onStored, onBack }: CredentialsProps) {
  const { t } = useReader(texts);
  const [chosen, setChosen] = useState<Source>();
  const fixed = integration.initialConnectionStatus === 'incomplete' ? null : connection.provider;
  const source = fixed === null ? chosen : { provider: fixed, isDemo: false };
  if (source === undefined) return <ProviderCards onChoose={setChosen} />;
  return (
    <CredentialsStep
      key={source.provider}
      {...source}
      integrationId={integration.id}
      onStored={onStored}
      onBack={() => (fixed === null ? setChosen(undefined) : onBack())}
      note={integration.status === 'invalid' ? t('reconnectHint') : undefined}
    />
  );
}

/** Leads from the credentials to the schedule. Once the set-up is finished, each step can be changed on its own. */
function SetUp({ integration, connection }: Props) {
  const { t } = useReader(texts);
  const navigate = useNavigate();
  const nameOf = useProviderName();
  const { id, name } = integration;
  const { step, goTo } = useStep({ integration, connection });
  const isSetUp = integration.initialConnectionStatus !== 'incomplete';
  const needsDescription = step === 'mapping' || step === 'check';
  const check = useConnectionCheck(id, connection.provider !== null && needsDescription);
  const rules = usePost<void, RulesBody>(at`/integrations/${id}/connection/rules`, touched);
  const pull = useRequestPull(id);
  const title = connection.provider === null ? '' : nameOf(connection.provider);
  const leave = (message: string) => {
    notifyDone(message);
    void navigate(`/integrations/${id}`);
  };
  const saveMapping = (mapping: Mapping) =>
    rules.mutate({ mapping, finish: false }, { onSuccess: () => goTo('preview') });
  const reload = (mapping: Mapping) =>
    rules.mutate({ mapping, finish: false }, { onSuccess: () => void check.refetch() });
  const schedule = {
    mutateAsync: async ({ nightlyTime, every, syncNow }: Scheduled) => {
      await rules.mutateAsync({ nightlyTime, every, finish: true });
      if (syncNow) await pull.mutateAsync({ kind: 'manual' });
      leave(isSetUp ? t('saved') : t('finished', { name }));
    },
    isPending: rules.isPending || pull.isPending,
    error: rules.error ?? pull.error,
  };
  return (
    <>
      {!isSetUp && <Steps current={step} />}
      {step === 'credentials' && (
        <Credentials
          integration={integration}
          connection={connection}
          onStored={() => (isSetUp ? leave(t('reconnected', { name })) : goTo('check'))}
          onBack={() => void navigate(`/integrations/${id}`)}
        />
      )}
      {step === 'check' && (
        <CheckStep integrationId={id} title={title} onNext={() => goTo('mapping')} onBack={() => goTo('credentials')} />
      )}
      {step === 'mapping' &&
        connection.mapping &&
        (check.isPending ? (
          <RowsSkeleton rows={8} />
        ) : (
          <MappingStep
            initial={connection.mapping}
            check={check.data}
            title={title}
            pending={rules.isPending}
            error={rules.error}
            onSave={saveMapping}
            onReload={reload}
            onBack={() => (isSetUp ? void navigate(`/integrations/${id}`) : goTo('check'))}
          />
        ))}
      {step === 'preview' && (
        <PreviewStep
          integrationId={id}
          title={title}
          onNext={() => (isSetUp ? leave(t('saved')) : goTo('schedule'))}
          onBack={() => goTo('mapping')}
        />
      )}
      {step === 'schedule' && (
        <ScheduleStep
          initial={{ nightlyTime: connection.nightlyTime, every: connection.every }}
          isLast={!isSetUp}
          change={schedule}
          onBack={() => (isSetUp ? void navigate(`/integrations/${id}`) : goTo('preview'))}
        />
      )}
    </>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const id = Number(useParams().id);
  const query = useIntegration(id);
  const integration = query.data;
  const isPulling = integration?.type === 'hr-integration';
  const connection = useConnection(id, isPulling);
  const list = { title: t('integrations'), to: '/integrations' };
  const name = integration?.name ?? '';
  const isSetUp = integration !== undefined && integration.initialConnectionStatus !== 'incomplete';
  const titles = { true: t('changeTitle', { name }), false: t('setUpTitle', { name }) };
  const title = integration?.status === 'invalid' ? t('reconnectTitle', { name }) : titles[`${isSetUp}`];
  const parent = { title: name, to: `/integrations/${id}` };
  return (
    <Page title={title} parents={integration ? [list, parent] : [list]}>
      <RoleGate ability="integrations">
        {integration && !isPulling ? (
          <EmptyState icon={IconPlugConnectedX} title={t('api')} hint={t('apiHint')} inCard />
        ) : (
          <Query of={query.data ? connection : query} parent={list}>
            {() => integration && connection.data && <SetUp integration={integration} connection={connection.data} />}
          </Query>
        )}
      </RoleGate>
    </Page>
  );
}
