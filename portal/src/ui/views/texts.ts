export const texts = {
  views: { de: 'Gespeicherte Ansichten', en: 'Saved views' },
  none: {
    de: 'Noch keine Ansichten. Filtern und sortieren Sie die Liste und speichern Sie sie unter einem Namen.',
    en: 'No saved views yet. Filter and sort the list, then save it under a name.',
  },
  name: { de: 'Name dieser Ansicht', en: 'Name of this view' },
  save: { de: 'Ansicht speichern', en: 'Save view' },
  open: { de: 'Ansicht „{name}“ öffnen', en: 'Open view “{name}”' },
  remove: { de: 'Ansicht „{name}“ löschen', en: 'Delete view “{name}”' },
  stored: { de: 'Mit Ihrem Konto gespeichert.', en: 'Stored with your account.' },
} as const;
