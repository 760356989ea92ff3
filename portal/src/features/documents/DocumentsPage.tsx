import { Anchor, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'react-router';
import {
  type DocumentOwner,
  type DocumentType,
  documentOwners,
  documentTypes,
  maxArchived,
} from '../../../../src/domain/choices.ts';
import type { ListedDocument } from '../../../../src/features/documents/contract.ts';
import { useAbility, useMe } from '../../app/api/me.ts';
import { pathTo, withQuery } from '../../app/api/request.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action, FileIcon } from '../../ui/Action.tsx';
import { Dialog, type DialogState, useDialog } from '../../ui/Dialog.tsx';
import { DocumentsProgress } from '../../ui/documents-progress/DocumentsProgress.tsx';
import { Form, useChangeForm } from '../../ui/Form.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { IconFileText, IconFileZip } from '../../ui/icons.gen.ts';
import { Page } from '../../ui/layout.tsx';
import { type ListState, useListState } from '../../ui/list-state.ts';
import { PdfInput } from '../../ui/PdfInput.tsx';
import { EmptyState, RowsSkeleton } from '../../ui/Query.tsx';
import type { Column } from '../../ui/rows.tsx';
import { DataTable, FilterCard, WordsFilter } from '../../ui/table.tsx';
import { Small, TimeText } from '../../ui/text.tsx';
import { useEmployeeNames, useEmployees } from '../employees/api.ts';
import { fileOf, isBeingWritten, useAddCompanyDocument, useDocuments, useDocumentsProgress } from './api.ts';
import { texts } from './texts.ts';

const companyTypes: readonly DocumentType[] = ['invoice', 'credit-note', 'other'];

/** Returns the types that documents of this owner can have. */
const typesOf = (owner: DocumentOwner) =>
  owner === 'company' ? companyTypes : documentTypes.filter((type) => type === 'other' || !companyTypes.includes(type));

const month = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Returns the filters in the address bar, which may contain anything. Omits values that the API would refuse. */
function filtersOf(list: ListState) {
  const owner: DocumentOwner = list.text('owner') === 'company' ? 'company' : 'employees';
  const period = list.text('period');
  const employeeId = Number(list.text('employeeId'));
  return {
    owner,
    search: list.text('search').slice(0, 500),
    types: list.words('types', typesOf(owner)),
    period: month.test(period) && period >= '0001-02' ? `${period}-01` : undefined,
    employeeId: owner === 'employees' && Number.isSafeInteger(employeeId) && employeeId > 0 ? employeeId : undefined,
  };
}

const monthsOffered = 36;

/** Returns the last months, newest first, and the chosen one if it is another. Each as `2026-11`. */
function listMonths(today: string, chosen: string | undefined): string[] {
  const [year = 0, monthOfYear = 1] = today.split('-').map(Number);
  const months = Array.from({ length: monthsOffered }, (_, before) =>
    new Date(Date.UTC(year, monthOfYear - 1 - before)).toISOString().slice(0, 7),
  );
  return chosen === undefined || months.includes(chosen) ? months : [...months, chosen];
}

const offered = 20;
const pauseMillis = 250;

/** Selects an employee by searching for them. */
function EmployeeFilter({ list }: { list: ListState }) {
  const { t } = useReader(texts);
  const { employeeId: value } = filtersOf(list);
  const [text, setText] = useState('');
  const name = useEmployeeNames(value === undefined ? [] : [value])?.get(value ?? 0);
  // The field shows the name of the chosen employee, which is not a search.
  const [search] = useDebouncedValue(text === name ? '' : text.trim(), pauseMillis);
  const found = useEmployees({ search, perPage: offered }).data?.data ?? [];
  const options = found.map(({ id, firstName, lastName, email }) => ({
    value: String(id),
    label: `${firstName} ${lastName}`,
    email,
  }));
  const isListed = options.some((option) => option.value === String(value));
  const chosen =
    value === undefined || isListed ? [] : [{ value: String(value), label: name ?? `#${value}`, email: '' }];
  return (
    <Select
      label={t('employee')}
      placeholder={t('all')}
      data={[...chosen, ...options]}
      // The server has searched already, also in what the label does not contain.
      filter={({ options: all }) => all}
      renderOption={({ option }) => (
        <span style={{ overflowWrap: 'anywhere' }}>
          {option.label} <small>{(option as (typeof options)[number]).email}</small>
        </span>
      )}
      value={value === undefined ? null : String(value)}
      onChange={(employeeId) => list.set({ employeeId })}
      onSearchChange={setText}
      nothingFoundMessage={t('nobodyFound')}
      searchable
      clearable
    />
  );
}

/** Renders the filters of the list. The address bar stores all of them. */
function Filters({ list }: { list: ListState }) {
  const { t, formats } = useReader(texts);
  const today = useMe().data?.today ?? '2026-01-01';
  const { owner, search, period } = filtersOf(list);
  const month = period?.slice(0, 7);
  return (
    <>
      <SegmentedControl
        aria-label={t('owner')}
        data={documentOwners.map((value) => ({ value, label: t(value) }))}
        value={owner}
        onChange={(value) => list.set({ owner: value, types: null, employeeId: null })}
        w="fit-content"
        maw="100%"
      />
      <FilterCard
        list={list}
        label={t('documents')}
        cols={{ base: 1, sm: 3 }}
        search={
          <SearchField
            label={t('search')}
            placeholder={t(owner === 'company' ? 'searchCompanyHint' : 'searchHint')}
            value={search}
            onSearch={(text) => list.set({ search: text })}
          />
        }
      >
        <WordsFilter
          list={list}
          name="types"
          values={typesOf(owner)}
          names={Object.fromEntries(typesOf(owner).map((type) => [type, t(type)]))}
          label={t('types')}
          all={t('all')}
        />
        <Select
          label={t('month')}
          placeholder={t('all')}
          data={listMonths(today, month).map((value) => ({ value, label: formats.month(value) }))}
          value={month ?? null}
          onChange={(value) => list.set({ period: value })}
          searchable
          clearable
        />
        {owner === 'employees' && <EmployeeFilter list={list} />}
      </FilterCard>
    </>
  );
}

function AddDocument({ opened, onClose }: DialogState) {
  const { t } = useReader(texts);
  const form = useChangeForm({
    initial: { name: '', file: null as File | null },
    change: useAddCompanyDocument(),
    input: ({ name, file }) => ({ name: name.trim(), file: file as File }),
    onDone: onClose,
  });
  const { name, file } = form.values;
  const choose = (chosen: File | null) => {
    form.setFieldValue('file', chosen);
    if (name === '' && chosen) form.setFieldValue('name', chosen.name.replace(/\.pdf$/i, '').slice(0, 200));
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={t('addTitle')}>
      <Form of={form} submitLabel={t('add')} disabled={file === null || name.trim() === ''} onCancel={onClose}>
        <PdfInput label={t('addFile')} value={file} onChange={choose} />
        <TextInput {...form.field('name', t('name'))} maxLength={200} autoComplete="off" />
      </Form>
    </Dialog>
  );
}

function DocumentFile({ of: document }: { of: ListedDocument }) {
  const { t } = useReader(texts);
  const { path, ability } = fileOf(document);
  const mayDownload = useAbility(ability);
  if (!document.downloadable) {
    return <Small>{t(isBeingWritten(document) ? 'preparing' : 'onlyPdf')}</Small>;
  }
  if (!mayDownload) return <Text size="xs">{document.fileType.toUpperCase()}</Text>;
  return <FileIcon label={t('download')} name={`${document.name}, ${document.id}`} href={path} />;
}

function useColumns(owner: DocumentOwner): Column<ListedDocument>[] {
  const { t, formats } = useReader(texts);
  const nameOf = ({ employee }: ListedDocument) =>
    employee && (
      <Anchor component={Link} to={`/employees/${employee.id}`} inherit className="breakable">
        {employee.firstName} {employee.lastName}
      </Anchor>
    );
  return [
    {
      header: t('document'),
      render: (document) => (
        <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
          <Text fw={600}>{document.name}</Text>
          <Small hiddenFrom="sm">{nameOf(document) ?? t(document.type)}</Small>
        </Stack>
      ),
    },
    ...(owner === 'employees' ? [{ header: t('employee'), render: nameOf, wideOnly: true }] : []),
    { header: t('type'), render: ({ type }) => t(type), wideOnly: true },
    {
      header: t('month'),
      render: ({ type, about }) =>
        about === null ? '–' : type === 'yearly-statement' ? about.slice(0, 4) : formats.month(about),
      wideOnly: true,
    },
    { header: t('createdAt'), render: ({ createdAt }) => <TimeText at={createdAt} exact />, wideOnly: true },
    { header: t('file'), align: 'right', render: (document) => <DocumentFile of={document} /> },
  ];
}

export function Component() {
  const { t } = useReader(texts);
  const list = useListState();
  const filters = filtersOf(list);
  const { owner } = filters;
  const columns = useColumns(owner);
  const mayAdd = useAbility('company-documents');
  const mayDownload = useAbility('documents');
  const { isLoading, data: progress } = useDocumentsProgress();
  const isBeingWrittenNow = (progress?.pending ?? 0) > 0;
  const documents = useDocuments({ page: list.page, perPage: list.perPage, ...filters });
  const { show, dialog } = useDialog();
  const toInvoices = owner === 'company' && <Action to="/invoices" variant="light" label={t('toInvoices')} />;
  const add = mayAdd && owner === 'company' && !isLoading && (
    <Action variant="default" onClick={() => show((modal) => <AddDocument {...modal} />)} label={t('addDocument')} />
  );
  const total = documents.data?.total ?? 0;
  const archive = mayDownload && owner === 'employees' && total > 0 && (
    <Action
      variant="default"
      icon={IconFileZip}
      {...(total > maxArchived || isBeingWrittenNow
        ? {
            disabled: true,
            title: isBeingWrittenNow ? t('archiveLater') : t('archiveTooMany', { limit: maxArchived }),
          }
        : { href: withQuery(pathTo('/documents/archive'), { ...filters, owner: undefined }) })}
      label={t('archive', { count: total })}
    />
  );
  const frame = { title: t('documents'), description: t('description'), actions: archive || add };
  // All at once, because the progress would move what is below it.
  if (isLoading) {
    return (
      <Page {...frame}>
        <RowsSkeleton rows={12} />
      </Page>
    );
  }
  return (
    <Page {...frame}>
      {dialog}
      <DocumentsProgress />
      <Filters list={list} />
      <DataTable
        label={t('documents')}
        columns={columns}
        query={documents}
        list={list}
        rowKey={({ id, type }) => `${type} ${id}`}
        empty={
          <EmptyState
            icon={IconFileText}
            title={t('emptyTitle')}
            hint={t(owner === 'company' ? 'emptyCompany' : 'emptyEmployees')}
            actions={toInvoices}
          />
        }
      />
    </Page>
  );
}
