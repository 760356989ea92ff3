import { Group } from '@mantine/core';
import type { OrderFile } from '../../../../src/features/issuers/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useChange } from '../../app/api/queries.ts';
import { at, pathTo, post, withQuery } from '../../app/api/request.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { SmallAction } from '../../ui/Action.tsx';
import { ConfirmChange, useDialog } from '../../ui/Dialog.tsx';
import { IconDownload } from '../../ui/icons.gen.ts';
import { Section } from '../../ui/layout.tsx';
import { MessageText } from '../../ui/MessageText.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { Hint, Small } from '../../ui/text.tsx';
import { texts } from './texts.ts';

const fileOf = ({ month, number, format }: { month: string; number: number; format: 'csv' | 'xlsx' }) =>
  pathTo(withQuery(at`/issuer/order-files/${month}/${format}`, { number }));

function Sent({ deliveredAt, deliveredTo, isDue, problem }: OrderFile) {
  const { t, formats } = useReader(texts);
  if (deliveredAt !== null)
    return <Small>{t('sentTo', { time: formats.time(deliveredAt), to: deliveredTo ?? '' })}</Small>;
  if (problem !== null) return <MessageText message={problem} />;
  return <Small>{t(isDue ? 'sendWaits' : 'notSent')}</Small>;
}

/** Shows the lists that go to the issuer, with what became of those that are sent. */
export function OrderFiles({ files, isSent }: { files: OrderFile[]; isSent: boolean }) {
  const { t, formats } = useReader(texts);
  const mayDownload = useAbility('decisions');
  const { show, dialog } = useDialog();
  const send = useChange(
    ({ month, number }: OrderFile) => post<unknown, undefined>(at`/issuer/order-files/${month}/${number}/deliveries`),
    ['issuer'],
  );
  const nameOf = ({ month, number }: OrderFile) =>
    t(number === 1 ? 'listOf' : 'changesOf', { month: formats.month(`${month}-01`), number });
  const count = (section: keyof OrderFile['sections']): Column<OrderFile> => ({
    header: t(section),
    align: 'right',
    wideOnly: true,
    render: ({ sections }) => formats.number(sections[section]),
  });
  const columns: Column<OrderFile>[] = [
    { header: t('list'), render: nameOf },
    ...[count('new'), count('continuing'), count('changed'), count('ended')],
    {
      header: t('written'),
      wideOnly: true,
      render: ({ createdAt }) => formats.time(createdAt),
    },
    ...(isSent || files.some(({ deliveredAt }) => deliveredAt !== null)
      ? [{ header: t('sent'), render: (file: OrderFile) => <Sent {...file} /> }]
      : []),
    ...(mayDownload
      ? [
          {
            header: t('download'),
            align: 'right' as const,
            render: (file: OrderFile) => (
              <Group gap="xs" justify="flex-end">
                {isSent && file.deliveredAt === null && !file.isDue && (
                  <SmallAction
                    label={t('send')}
                    aria-label={t('sendOne', { name: nameOf(file) })}
                    onClick={() =>
                      show((state) => (
                        <ConfirmChange
                          {...state}
                          title={t('sendOne', { name: nameOf(file) })}
                          confirmLabel={t('send')}
                          change={send}
                          input={file}
                          done={t('sendDone')}
                        >
                          {t('sendText')}
                        </ConfirmChange>
                      ))
                    }
                  />
                )}
                {(
                  [
                    ['xlsx', 'Excel'],
                    ['csv', 'CSV'],
                  ] as const
                ).map(([format, label]) => (
                  <SmallAction
                    key={format}
                    href={fileOf({ month: file.month, number: file.number, format })}
                    download
                    icon={IconDownload}
                    label={label}
                    aria-label={t('downloadOne', { name: nameOf(file), format: label })}
                  />
                ))}
              </Group>
            ),
          },
        ]
      : []),
  ];
  return (
    <Section title={t('lists')} flush={files.length > 0}>
      {files.length === 0 ? (
        <Hint>{t('noLists')}</Hint>
      ) : (
        <Rows
          label={t('lists')}
          rows={files}
          rowKey={({ month, number }) => `${month} ${number}`}
          columns={columns}
          isQuiet
        />
      )}
      {dialog}
    </Section>
  );
}
