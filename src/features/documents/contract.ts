import { type Static, Type } from 'typebox';
import { documentOwners, documentTypes } from '../../domain/choices.ts';
import { pagingParameters, searchParameter } from '../../platform/http/paging.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import {
  Enum,
  LinkSchema,
  maxInteger,
  Named,
  Nullable,
  NullableObject,
  PlainDate,
  Reference,
  Timestamp,
} from '../../platform/http/schemas.ts';

export const EmployeeDocumentSchema = Named(
  'EmployeeDocument',
  Closed({
    id: Type.Integer({ description: 'The path parameter of the download operation.' }),
    employeeId: Nullable(Type.Integer(), 'The employee the document belongs to. Null if it belongs to the company.'),
    documentName: Type.String(),
    documentFileType: Type.String({ description: 'File extension.', examples: ['pdf'] }),
    downloadable: Type.Boolean({ description: 'Whether the file can be downloaded.' }),
    createdAt: Timestamp('When it was created.'),
    updatedAt: Timestamp('When the document was last changed.'),
    resource: Enum(['employee-document']),
    _links: Closed(
      {
        self: Reference(LinkSchema),
        employee: Type.Optional(Reference(LinkSchema)),
        download: Type.Optional(Reference(LinkSchema)),
      },
      '`employee` is left out if there is no owner, `download` if there is no file to download.',
    ),
  }),
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

export const ListedDocumentsQuery = Type.Object({
  owner: Enum(documentOwners, {
    default: 'employees',
    description:
      'Documents of employees, or those of the company: invoices, credit notes and documents without an employee.',
  }),
  search: Type.Optional(searchParameter("the document's name, or the whole text is the number of an invoice")),
  types: Type.Optional(Type.Array(Enum(documentTypes), { description: 'Only documents of these types.' })),
  period: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Any day of a month. Only documents about that month, or added in it if they are about none.',
    }),
  ),
  employeeId: Type.Optional(Type.Integer({ minimum: 0, maximum: maxInteger, description: 'Only of this employee.' })),
  page: pagingParameters.page,
  perPage: { ...pagingParameters.perPage, default: 25 },
});

const { owner: _owner, page: _page, perPage: _perPage, ...ofEmployees } = ListedDocumentsQuery.properties;

export const ArchiveQuery = Type.Object(ofEmployees);

export type ListedDocumentsQuery = Static<typeof ListedDocumentsQuery>;

export const ListedDocumentSchema = Closed({
  id: Type.Integer({ description: 'Unique among the documents, and among the invoices and credit notes.' }),
  type: Enum(documentTypes),
  name: Type.String({ description: 'The name of the document, or the number of the invoice.' }),
  fileType: Type.String({ examples: ['pdf'] }),
  about: Nullable(PlainDate('The day or the first day of the month that it is about.')),
  employee: NullableObject(
    Closed({ id: Type.Integer(), firstName: Type.String(), lastName: Type.String() }),
    'Whose document it is. Null: it belongs to the company.',
  ),
  downloadable: Type.Boolean({ description: 'Whether the file is stored and can be downloaded.' }),
  createdAt: Timestamp('When it was created.'),
});

export type ListedDocument = Static<typeof ListedDocumentSchema>;

/** A scanned contract of some pages. */
export const maxDocumentBytes = 10 * 1024 * 1024;

export const NewDocumentBody = Closed({
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    format: 'single-line-text',
    description: 'As lists show it.',
  }),
  content: Type.String({ minLength: 1, description: 'The PDF file in Base64, at most 10 MB.' }),
});

export type NewDocumentBody = Static<typeof NewDocumentBody>;

export const DocumentsProgressSchema = Closed({
  pending: Type.Integer({ description: 'Documents that are still to be written. 0: none.' }),
  total: Type.Integer({ description: 'These, and those that were created with them and are written.' }),
});

export type DocumentsProgress = Static<typeof DocumentsProgressSchema>;

export const AddedDocumentSchema = Closed({ id: Type.Integer() });

export type AddedDocument = Static<typeof AddedDocumentSchema>;
