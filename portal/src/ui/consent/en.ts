export const en = {
  given: 'How did they agree?',
  'on-paper': 'On paper',
  electronically: 'Electronically, for example by email',
  on: 'Date of consent',
  scan: 'Scan of the signed agreement (PDF, optional)',
  scanName: 'Signed contribution agreement (scan)',
  hint: 'The agreement states how and when the employee agreed, and that you recorded it.',
} as const;
