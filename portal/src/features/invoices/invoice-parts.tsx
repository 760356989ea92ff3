import { Alert, Group, Stack, Text } from '@mantine/core';
import type { Invoice, Invoices } from '../../../../src/features/invoices/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { at, pathTo } from '../../app/api/request.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, FileIcon } from '../../ui/Action.tsx';
import type { Icon } from '../../ui/icon.tsx';
import { IconEye, IconFileCode, IconFileTypePdf, IconInfoCircle } from '../../ui/icons.gen.ts';
import { Small } from '../../ui/text.tsx';
import { texts } from './texts.ts';

/** Renders what is missing before invoices can be issued. */
export function MissingForInvoice({ missing }: Pick<Invoices, 'missing'>) {
  const { t } = useReader(texts);
  const maySet = useAbility('settings');
  const fields = (['street', 'postCode', 'city', 'vatId'] as const).filter((field) => missing.includes(field));
  return (
    <Alert color="orange" title={t('missingTitle')} icon={<IconInfoCircle size={18} />}>
      <Stack gap="xs" align="flex-start">
        {missing.includes('seller') && <Text>{t('missingSeller')}</Text>}
        {fields.length > 0 && (
          <Text>
            {t('missingBuyer', { fields: fields.map((field) => t(field)).join(', ') })} {!maySet && t('askAdmin')}
          </Text>
        )}
        <Text>{t('later')}</Text>
        {fields.length > 0 && maySet && <Action to="/settings" variant="light" size="xs" label={t('toSettings')} />}
      </Stack>
    </Alert>
  );
}

/** Renders the files of an invoice as icons. */
export function InvoiceFiles({ id, number, downloadable }: Invoice) {
  const { t } = useReader(texts);
  if (!downloadable) return <Small ta="right">{t('preparing')}</Small>;
  const path = pathTo(at`/invoices/${id}/download`);
  // There is room for one icon on a phone.
  const icon = (format: 'pdf' | 'xrechnung', picture: Icon) => (
    <FileIcon label={t(format)} name={number} href={`${path}?format=${format}`} icon={picture} visibleFrom="sm" />
  );
  return (
    <Group gap={6} justify="flex-end">
      <FileIcon label={t('preview')} name={number} href={`${path}?format=pdf&inline=true`} icon={IconEye} isPreview />
      {icon('pdf', IconFileTypePdf)}
      {icon('xrechnung', IconFileCode)}
    </Group>
  );
}

/** Invoice and correction both state positive amounts. In one list, a correction has a minus sign. */
export const signed = ({ type, overall }: Invoice) =>
  type === 'invoice' ? overall : { ...overall, value: -overall.value };
