import { Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type BlockReason, blockReasons } from '../../../../src/domain/enums.ts';
import type { TicketChangeBody } from '../../../../src/features/issuers/contract.ts';
import { usePost } from '../../app/api/queries.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { ConfirmChange, type DialogState } from '../../ui/Dialog.tsx';
import { texts } from './texts.ts';

export interface ChangedTicket {
  employeeId: number;
  name: string;
  /** YYYY-MM. */
  month: string;
}

interface Props extends DialogState {
  kind: 'block' | 'replace';
  ticket: ChangedTicket;
  usualReason: BlockReason;
}

/** Blocks or replaces a ticket, for a reason that the user chooses. */
export function TicketChange({ kind, ticket: { employeeId, name, month }, usualReason, ...dialog }: Props) {
  const { t, formats } = useReader(texts);
  const [reason, setReason] = useState(usualReason);
  const path = kind === 'block' ? '/issuer/blocks' : '/issuer/replacements';
  const touches = ['issuer', 'employees', 'employee-tickets', 'overview', 'activity'];
  const change = usePost<unknown, TicketChangeBody>(path, touches);
  return (
    <ConfirmChange
      {...dialog}
      title={t(`${kind}Of`, { name })}
      confirmLabel={t(kind)}
      change={change}
      input={{ employeeId, month, reason }}
      done={t(`${kind}Done`)}
      danger={kind === 'block'}
    >
      <Stack gap="sm">
        <Text>{t(`${kind}Text`, { name, month: formats.month(`${month}-01`) })}</Text>
        <Select
          label={t('reason')}
          data={blockReasons.map((value) => ({ value, label: t(value) }))}
          value={reason}
          onChange={(value) => value && setReason(value as BlockReason)}
          allowDeselect={false}
        />
      </Stack>
    </ConfirmChange>
  );
}
