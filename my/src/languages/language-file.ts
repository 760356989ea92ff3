import type { DocumentKind, Language } from '../../../src/domain/enums.ts';
import type { Catalogue } from '../../../src/domain/messages/render.ts';
import type { MyData } from '../../../src/my/contract.ts';
import type { TextKey } from './en.ts';

export type Texts = Readonly<Record<TextKey, string>>;

/** What a language consists of. Each file of this folder that exports `language` is one. */
export interface LanguageFile {
  code: Language;
  /** As its speakers call it. */
  name: string;
  /** Formats dates and amounts, unless the company has another locale of this language. */
  locale: string;
  texts: Texts;
  /** What is stored, by what it is about. */
  sections: Readonly<Record<MyData['sections'][number]['name'], string>>;
  /** What a document is. Files that HR has added keep their name. */
  documents: Readonly<Record<DocumentKind, string>>;
  /** The names of what is stored. Inner parts of records without one are shown as the service calls them. */
  fields: Readonly<Partial<Record<string, string>>>;
  /** What the codes mean that are stored. Others are shown as they are. */
  values: Readonly<Partial<Record<string, string>>>;
  /** Loads the sentences of the service. */
  loadMessages(): Promise<Catalogue>;
}
