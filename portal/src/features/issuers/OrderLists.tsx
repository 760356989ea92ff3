import { FileButton, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  IssuerPage,
  OpenReturnedRow,
  ReturnedFile,
  ReturnedPreview,
  ReturnedRowBody,
  UnreadFile,
} from '../../../../src/features/issuers/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useChange } from '../../app/api/queries.ts';
import { at, post, type RosterFile, upload } from '../../app/api/request.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, SmallAction } from '../../ui/Action.tsx';
import { ConfirmChange, type DialogState, useDialog } from '../../ui/Dialog.tsx';
import { IconUpload } from '../../ui/icons.gen.ts';
import { Section } from '../../ui/layout.tsx';
import { MessageText } from '../../ui/MessageText.tsx';
import { Query } from '../../ui/Query.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { Hint } from '../../ui/text.tsx';
import { readRosterFile } from '../roster/upload/file.tsx';
import { Delivery } from './Delivery.tsx';
import { OrderFiles } from './OrderFiles.tsx';
import { texts } from './texts.ts';

type Lists = NonNullable<IssuerPage['lists']>;

const touches = ['issuer', 'employees'];

function PreviewOf({ preview }: { preview: ReturnedPreview }) {
  const { t } = useReader(texts);
  const { issued, failed, unchanged, open, listed } = preview;
  const columns: Column<ReturnedPreview['listed'][number]>[] = [
    { header: t('row'), align: 'right', render: ({ row }) => row },
    { header: t('person'), render: ({ name }) => name },
    { header: t('what'), render: ({ message }) => <MessageText message={message} /> },
  ];
  return (
    <Stack gap="sm">
      <Text>{t('previewText', { issued, failed, unchanged, open })}</Text>
      {listed.length > 0 && (
        <Rows label={t('unclear')} rows={listed} rowKey={({ row }) => row} columns={columns} isQuiet />
      )}
    </Stack>
  );
}

/** Previews a list, then applies it. */
function ReturnedDialog({ file, month, ...dialog }: DialogState & { file: RosterFile; month: string }) {
  const { t, formats } = useReader(texts);
  const preview = useQuery({
    queryKey: ['issuer', 'returned', month, file.file.name, file.file.lastModified, file.file.size],
    queryFn: () => upload<ReturnedPreview>('/issuer/returned-lists/preview', file, { month }),
    gcTime: 0,
    retry: false,
  });
  const apply = useChange(
    () => upload<ReturnedFile>('/issuer/returned-lists', file, { month, fileName: file.file.name.slice(0, 200) }),
    touches,
  );
  return (
    <ConfirmChange
      {...dialog}
      title={t('returnedTitle', { month: formats.month(`${month}-01`) })}
      confirmLabel={t('apply')}
      change={apply}
      input={undefined}
      disabled={!preview.isSuccess}
      done={({ issued, open }) => t('applied', { issued, open })}
    >
      <Query of={preview} rows={2}>
        {(found) => <PreviewOf preview={found} />}
      </Query>
    </ConfirmChange>
  );
}

function Upload({ months }: { months: readonly string[] }) {
  const { t, formats } = useReader(texts);
  const [chosen, choose] = useState<string | null>(null);
  const { show, dialog } = useDialog();
  const month = chosen ?? months[0];
  const open = async (file: File | null) => {
    if (file === null || month === undefined) return;
    const read = await readRosterFile(file);
    show((state) => <ReturnedDialog {...state} file={read} month={month} />);
  };
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label={t('month')}
        data={months.map((value) => ({ value, label: formats.month(`${value}-01`) }))}
        value={month ?? null}
        onChange={choose}
        allowDeselect={false}
        w={200}
      />
      <FileButton
        accept=".xlsx,.csv,.txt,text/csv"
        onChange={(file) => void open(file)}
        inputProps={{ 'aria-label': t('upload') }}
      >
        {(props) => <Action {...props} icon={IconUpload} label={t('upload')} disabled={month === undefined} />}
      </FileButton>
      {dialog}
    </Group>
  );
}

function Returned({ returned, months }: Pick<Lists, 'returned'> & { months: readonly string[] }) {
  const { t, formats } = useReader(texts);
  const mayUpload = useAbility('decisions');
  const columns: Column<ReturnedFile>[] = [
    { header: t('list'), render: ({ name }) => name },
    { header: t('month'), render: ({ month }) => formats.month(`${month}-01`) },
    { header: t('received'), wideOnly: true, render: ({ receivedAt }) => formats.time(receivedAt) },
    { header: t('issued'), align: 'right', render: ({ issued }) => formats.number(issued) },
    { header: t('failed'), align: 'right', wideOnly: true, render: ({ failed }) => formats.number(failed) },
    { header: t('unclear'), align: 'right', render: ({ open }) => formats.number(open) },
  ];
  return (
    <Section title={t('returnedLists')}>
      <Stack gap="md">
        <Hint>{t('returnedHint')}</Hint>
        {mayUpload && months.length > 0 && <Upload months={months} />}
        {returned.length > 0 && (
          <Rows
            label={t('returnedLists')}
            rows={returned}
            rowKey={({ month, receivedAt, name }) => `${month} ${receivedAt} ${name}`}
            columns={columns}
            isQuiet
          />
        )}
      </Stack>
    </Section>
  );
}

/** Lets a person say whose ticket a row is. */
function AssignDialog({ row, waiting, ...dialog }: DialogState & { row: OpenReturnedRow } & Pick<Lists, 'waiting'>) {
  const { t } = useReader(texts);
  const [chosen, choose] = useState<string | null>(row.suggestedId === null ? null : String(row.suggestedId));
  const assign = useChange(
    (body: ReturnedRowBody) => post<unknown, ReturnedRowBody>(at`/issuer/returned-rows/${row.id}`, body),
    touches,
  );
  const suggested =
    row.suggestedId === null ? [] : [{ employeeId: row.suggestedId, name: row.suggestedName ?? '', month: row.month }];
  const people = [...suggested, ...waiting.filter((one) => one.employeeId !== row.suggestedId)];
  return (
    <ConfirmChange
      {...dialog}
      title={t('assignTitle', { row: row.row, file: row.file })}
      confirmLabel={t('assign')}
      change={assign}
      input={{ employeeId: Number(chosen) }}
      disabled={chosen === null}
      done={t('assigned')}
    >
      <Stack gap="sm">
        <MessageText message={row.message} />
        <Select
          label={t('whose', { number: row.number ?? '' })}
          data={people
            .filter(({ month }) => month === row.month)
            .map(({ employeeId, name }) => ({ value: String(employeeId), label: `${name} (${employeeId})` }))}
          value={chosen}
          onChange={choose}
          searchable
        />
      </Stack>
    </ConfirmChange>
  );
}

function DismissDialog({ row, ...dialog }: DialogState & { row: OpenReturnedRow }) {
  const { t } = useReader(texts);
  const dismiss = useChange(
    (body: ReturnedRowBody) => post<unknown, ReturnedRowBody>(at`/issuer/returned-rows/${row.id}`, body),
    touches,
  );
  return (
    <ConfirmChange
      {...dialog}
      title={t('dismissTitle', { row: row.row, file: row.file })}
      confirmLabel={t('dismiss')}
      change={dismiss}
      input={{ employeeId: null }}
      done={t('dismissed')}
      danger
    >
      {t('dismissText')}
    </ConfirmChange>
  );
}

function OpenRows({ open, waiting }: Pick<Lists, 'open' | 'waiting'>) {
  const { t } = useReader(texts);
  const mayDecide = useAbility('decisions');
  const { show, dialog } = useDialog();
  const columns: Column<OpenReturnedRow>[] = [
    { header: t('row'), render: ({ file, row }) => t('rowOf', { row, file }) },
    { header: t('person'), render: ({ name }) => name },
    { header: t('number'), wideOnly: true, render: ({ number }) => number },
    { header: t('what'), wideOnly: true, render: ({ message }) => <MessageText message={message} /> },
    ...(mayDecide
      ? [
          {
            header: t('actions'),
            align: 'right' as const,
            render: (row: OpenReturnedRow) => (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <SmallAction
                  label={t('assign')}
                  aria-label={t('assignTitle', { row: row.row, file: row.file })}
                  onClick={() => show((state) => <AssignDialog {...state} row={row} waiting={waiting} />)}
                />
                <SmallAction
                  label={t('dismiss')}
                  aria-label={t('dismissTitle', { row: row.row, file: row.file })}
                  onClick={() => show((state) => <DismissDialog {...state} row={row} />)}
                />
              </Group>
            ),
          },
        ]
      : []),
  ];
  return (
    <Section title={t('unclear')} flush>
      <Rows label={t('unclear')} rows={open} rowKey={({ id }) => id} columns={columns} isQuiet />
      {dialog}
    </Section>
  );
}

function Unread({ unread }: Pick<Lists, 'unread'>) {
  const { t, formats } = useReader(texts);
  const columns: Column<UnreadFile>[] = [
    { header: t('list'), render: ({ path }) => path },
    { header: t('received'), wideOnly: true, render: ({ fetchedAt }) => formats.time(fetchedAt) },
    { header: t('what'), render: ({ problem }) => <MessageText message={problem} /> },
  ];
  return (
    <Section title={t('unread')} flush>
      <Rows label={t('unread')} rows={unread} rowKey={({ path, month }) => path + month} columns={columns} isQuiet />
    </Section>
  );
}

/** Shows the lists that go to the issuer, those that come back, and what in them is unclear. */
export function OrderLists({ lists, delivery }: { lists: Lists; delivery: IssuerPage['settings']['delivery'] }) {
  const { files, returned, unread, open, waiting } = lists;
  return (
    <>
      {open.length > 0 && <OpenRows open={open} waiting={waiting} />}
      {unread.length > 0 && <Unread unread={unread} />}
      <Delivery delivery={delivery} />
      <OrderFiles files={files} isSent={delivery !== null} />
      <Returned returned={returned} months={[...new Set(files.map(({ month }) => month))]} />
    </>
  );
}
