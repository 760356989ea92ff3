export const en = {
  views: 'Saved views',
  none: 'No saved views yet. Filter and sort the list, then save it under a name.',
  name: 'Name of this view',
  save: 'Save view',
  open: 'Open view “{name}”',
  remove: 'Delete view “{name}”',
  stored: 'Stored with your account.',
} as const;
