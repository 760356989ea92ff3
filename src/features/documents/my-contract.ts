import { type Static, Type } from 'typebox';
import { documentTypes } from '../../domain/choices.ts';
import { pagingParameters } from '../../platform/http/paging.ts';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { Enum, Nullable, PageOf, PlainDate, Timestamp } from '../../platform/http/schemas.ts';

export const MyDocumentsQuery = Type.Object({ page: pagingParameters.page, perPage: pagingParameters.perPage });
export type MyDocumentsQuery = Static<typeof MyDocumentsQuery>;

const MyDocumentSchema = Closed({
  id: Type.Integer(),
  type: Enum(documentTypes),
  name: Type.String(),
  fileType: Type.String({ examples: ['pdf'] }),
  about: Nullable(PlainDate('The month or the day that it is about. Null: a file that was added.')),
  createdAt: Timestamp('When it was created.'),
  downloadable: Type.Boolean(),
});

/** Newest first. */
export const MyDocumentsSchema = PageOf(MyDocumentSchema);
export type MyDocuments = Static<typeof MyDocumentsSchema>;
