import { FileInput, type FileInputProps } from '@mantine/core';
import { useCommonTexts } from '../app/i18n/common.ts';

type Props = Required<Pick<FileInputProps, 'label' | 'value' | 'onChange'>> & Pick<FileInputProps, 'clearable'>;

/** Lets the user choose a PDF file. */
export function PdfInput(props: Props) {
  const t = useCommonTexts();
  return <FileInput placeholder={t('choosePdf')} accept="application/pdf" {...props} />;
}
