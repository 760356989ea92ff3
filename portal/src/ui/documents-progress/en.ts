export const en = {
  writing: 'Documents are being created',
  written: '{written} of {total} documents created',
} as const;
