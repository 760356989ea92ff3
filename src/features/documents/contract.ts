import { type Static, Type } from 'typebox';
import { pagingParameters, searchParameter } from '../../platform/http/paging.ts';
import { Enum, LinkSchema, Named, Nullable, Reference, Timestamp } from '../../platform/http/schemas.ts';

const closed = { additionalProperties: false };

export const EmployeeDocumentSchema = Named(
  'EmployeeDocument',
  Type.Object(
    {
      id: Type.Integer({ description: 'The path parameter of the download operation.' }),
      employeeId: Nullable(Type.Integer(), 'The employee the document belongs to. Null if it belongs to the company.'),
      documentName: Type.String(),
      documentFileType: Type.String({ description: 'File extension.', examples: ['pdf'] }),
      downloadable: Type.Boolean({ description: 'Whether the file can be downloaded.' }),
      createdAt: Timestamp('When it was created.'),
      updatedAt: Timestamp('When the document was last changed.'),
      resource: Enum(['employee-document']),
      _links: Type.Object(
        {
          self: Reference(LinkSchema),
          employee: Type.Optional(Reference(LinkSchema)),
          download: Type.Optional(Reference(LinkSchema)),
        },
        {
          ...closed,
          description: '`employee` is left out if there is no owner, `download` if there is no file to download.',
        },
      ),
    },
    closed,
  ),
);
export type EmployeeDocument = Static<typeof EmployeeDocumentSchema>;

export const DocumentsQuery = Type.Object({
  search: Type.Optional(searchParameter("the document's name")),
  ...pagingParameters,
});
export type DocumentsQuery = Static<typeof DocumentsQuery>;

export const documentExample: EmployeeDocument = {
  id: 1,
  employeeId: 1,
  documentName: 'Ticket confirmation November 2026',
  documentFileType: 'pdf',
  downloadable: true,
  createdAt: '2026-11-01T00:06:00Z',
  updatedAt: '2026-11-01T00:06:12Z',
  resource: 'employee-document',
  _links: {
    self: { href: 'http://localhost:3000/v1/employee-documents/1', type: 'application/json' },
    employee: { href: 'http://localhost:3000/v1/employees/1', type: 'application/json' },
    download: { href: 'http://localhost:3000/v1/employee-documents/1/download', type: 'application/pdf' },
  },
};
