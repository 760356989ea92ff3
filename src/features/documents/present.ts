import type { Links } from '../../platform/http/links.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import type { EmployeeDocument } from './contract.ts';
import type { DocumentRow } from './list.ts';

export const presentDocument = (row: DocumentRow, links: Links): EmployeeDocument => ({
  id: row.id,
  employeeId: row.employee_id,
  documentName: row.name,
  documentFileType: row.file_type,
  downloadable: row.downloadable,
  createdAt: presentTimestamp(row.created_at),
  updatedAt: presentTimestamp(row.updated_at),
  resource: 'employee-document',
  _links: {
    self: links.document(row.id),
    ...(row.employee_id === null ? {} : { employee: links.employee(row.employee_id) }),
    ...(row.downloadable ? { download: links.documentDownload(row.id) } : {}),
  },
});
