import { type Static, Type } from 'typebox';
import { documentKinds, invoiceKinds } from '../../domain/enums.ts';
import { pagingParameters, searchParameter } from '../../platform/http/paging.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import {
  Enum,
  maxInteger,
  Named,
  Nullable,
  NullableObject,
  PlainDate,
  Timestamp,
} from '../../platform/http/schemas.ts';

export const documentOwners = ['employees', 'company'] as const;

/** What a document can be. Documents that were added by hand are `other`. */
export const documentTypes = [...documentKinds, ...invoiceKinds, 'other'] as const;
export type DocumentType = (typeof documentTypes)[number];

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
export type ListedDocumentsQuery = Static<typeof ListedDocumentsQuery>;

export const ListedDocumentSchema = Named(
  'ListedDocument',
  Closed({
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
  }),
);
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
