export const texts = {
  writing: { de: 'Dokumente werden erstellt', en: 'Documents are being created' },
  written: { de: '{written} von {total} Dokumenten erstellt', en: '{written} of {total} documents created' },
} as const;
