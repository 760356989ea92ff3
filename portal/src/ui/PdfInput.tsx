import { FileInput, type FileInputProps } from '@mantine/core';
import { useReader } from '../app/i18n/reader.ts';

/** Lets the user choose a PDF file. */
export function PdfInput(props: FileInputProps) {
  const { t } = useReader();
  return <FileInput placeholder={t('choosePdf')} accept="application/pdf" {...props} />;
}
