export const en = {
  given: 'How did they agree?',
  'on-paper': 'On paper',
  electronically: 'Electronically, for example by email',
  on: 'Date of the consent',
  scan: 'Scan of the signed agreement (PDF, optional)',
  chooseScan: 'Choose a PDF',
  scanName: 'Signed contribution agreement (scan)',
  hint: 'The agreement names how and when the person agreed, and that you recorded it.',
} as const;
