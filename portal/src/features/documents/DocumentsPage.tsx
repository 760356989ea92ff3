import { ActionIcon, Anchor, Button, Stack, Text, Tooltip } from '@mantine/core';
import { IconDownload, IconFileText } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { DocumentOwner } from '../../../../src/domain/choices.ts';
import type { ListedDocument } from '../../../../src/features/documents/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DocumentsProgress } from '../../ui/documents-progress/DocumentsProgress.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { TimeText } from '../../ui/figures.tsx';
import { useListState } from '../../ui/list-state.ts';
import { Page } from '../../ui/Page.tsx';
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx';
import { AddDocument } from './AddDocument.tsx';
import { fileOf, isBeingWritten, useDocuments, useDocumentsProgress } from './api.ts';
import { Filters } from './Filters.tsx';
import { filtersOf } from './filters.ts';
import { texts } from './texts.ts';

function File({ of: document }: { of: ListedDocument }) {
  const t = useTexts(texts);
  const { path, ability } = fileOf(document);
  const mayDownload = useAbility(ability);
  if (!document.downloadable) {
    return (
      <Text size="xs" c="dimmed">
        {t(isBeingWritten(document) ? 'preparing' : 'onlyPdf')}
      </Text>
    );
  }
  if (!mayDownload) return <Text size="xs">{document.fileType.toUpperCase()}</Text>;
  return (
    <Tooltip label={t('download')}>
      <ActionIcon
        component="a"
        href={path}
        download
        variant="default"
        size="lg"
        aria-label={`${t('download')}: ${document.name}, ${document.id}`}
      >
        <IconDownload size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function useColumns(owner: DocumentOwner): Column<ListedDocument>[] {
  const t = useTexts(texts);
  const { month } = useFormats();
  const ofEmployees: Column<ListedDocument>[] = [
    {
      header: t('employee'),
      render: ({ employee }) =>
        employee && (
          <Anchor component={Link} to={`/employees/${employee.id}`} inherit style={{ overflowWrap: 'anywhere' }}>
            {employee.firstName} {employee.lastName}
          </Anchor>
        ),
    },
  ];
  return [
    {
      header: t('document'),
      render: ({ name, type }) => (
        <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {t(type)}
          </Text>
        </Stack>
      ),
    },
    ...(owner === 'employees' ? ofEmployees : []),
    { header: t('type'), render: ({ type }) => t(type), wideOnly: true },
    { header: t('about'), render: ({ about }) => (about === null ? '–' : month(about)), wideOnly: true },
    { header: t('createdAt'), render: ({ createdAt }) => <TimeText at={createdAt} exact />, wideOnly: true },
    { header: t('file'), align: 'right', render: (document) => <File of={document} /> },
  ];
}

export function Component() {
  const t = useTexts(texts);
  const list = useListState();
  const filters = filtersOf(list);
  const { owner, ...narrowing } = filters;
  const columns = useColumns(owner);
  const mayAdd = useAbility('company-documents');
  const { isLoading } = useDocumentsProgress();
  const documents = useDocuments({ page: list.page, perPage: list.perPage, ...filters });
  const isNarrowed = Object.values(narrowing).some((value) => value !== undefined && String(value) !== '');
  const toInvoices = owner === 'company' && (
    <Button component={Link} to="/invoices" variant="light">
      {t('toInvoices')}
    </Button>
  );
  if (isLoading) {
    // All at once, because the progress would move what is below it.
    return (
      <Page title={t('title')} description={t('description')}>
        <RowsSkeleton rows={12} />
      </Page>
    );
  }
  return (
    <Page
      title={t('title')}
      description={t('description')}
      {...(mayAdd && owner === 'company' ? { actions: <AddDocument /> } : {})}
    >
      <DocumentsProgress />
      <Filters list={list} />
      <DataTable
        label={t('title')}
        columns={columns}
        query={documents}
        list={list}
        rowKey={({ id, type }) => `${type} ${id}`}
        empty={
          isNarrowed ? undefined : (
            <EmptyState
              icon={IconFileText}
              title={t('emptyTitle')}
              hint={t(owner === 'company' ? 'emptyCompany' : 'emptyEmployees')}
              actions={toInvoices}
            />
          )
        }
      />
    </Page>
  );
}
