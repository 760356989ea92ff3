import { Group, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { CheckedDelivery, IssuerPage } from '../../../../src/features/issuers/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { usePost } from '../../app/api/queries.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { useDialog } from '../../ui/Dialog.tsx';
import { type Fact, Facts } from '../../ui/Facts.tsx';
import { Section } from '../../ui/layout.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Hint } from '../../ui/text.tsx';
import { DeliveryProblems } from './DeliveryProblems.tsx';
import { deliveryTexts } from './delivery-texts.ts';

const DeliveryDialog = lazy(async () => ({ default: (await import('./DeliveryForm.tsx')).DeliveryDialog }));

type Settings = IssuerPage['settings']['delivery'];

/** Shows how lists get to the issuer and back, and lets it be changed and tested. */
export function Delivery({ delivery }: { delivery: Settings }) {
  const { t } = useReader(deliveryTexts);
  const mayChange = useAbility('integrations');
  const { show, dialog } = useDialog();
  const test = usePost<CheckedDelivery, undefined>('/issuer/delivery/check', []);
  const fact = (name: keyof typeof deliveryTexts, value: string | null | undefined): Fact | false =>
    Boolean(value) && [t(name), value];
  const open = () =>
    show((state) => (
      <Suspense>
        <DeliveryDialog {...state} delivery={delivery} />
      </Suspense>
    ));
  return (
    <Section title={t('delivery')}>
      <Stack gap="md">
        {delivery === null ? (
          <Hint>{t('noneHint')}</Hint>
        ) : (
          <Facts
            labelWidth={200}
            facts={[
              [t('kind'), `${t(delivery.kind)} (${delivery.format === 'xlsx' ? 'Excel' : 'CSV'})`],
              fact('to', delivery.to),
              fact('host', delivery.host),
              fact('user', delivery.user),
              fact('folder', delivery.folder),
              fact('returned', delivery.returned),
            ]}
          />
        )}
        {test.data && test.data.problems.length > 0 && (
          <DeliveryProblems title={t('fails')} problems={test.data.problems} />
        )}
        {mayChange && (
          <Group gap="xs">
            <Action variant="default" label={t('change')} onClick={open} />
            {delivery !== null && (
              <Action
                variant="default"
                label={t('test')}
                loading={test.isPending}
                onClick={() =>
                  test.mutate(undefined, {
                    onSuccess: ({ problems }) => problems.length === 0 && notifyDone(t('works')),
                  })
                }
              />
            )}
          </Group>
        )}
        {dialog}
      </Stack>
    </Section>
  );
}
