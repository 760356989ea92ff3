export const texts = {
  printLetters: { de: 'Briefe drucken', en: 'Print letters' },
  lettersConfirm: { de: 'Briefe erstellen', en: 'Create letters' },
  lettersFile: { de: 'briefe', en: 'letters' },
  lettersCreated_one: {
    de: 'Ein Brief wurde erstellt. Speichern Sie die Datei jetzt: Sie wird nicht noch einmal angezeigt.',
    en: 'One letter was created. Save the file now: it cannot be shown again.',
  },
  lettersCreated_other: {
    de: '{count} Briefe wurden erstellt. Speichern Sie die Datei jetzt: Sie wird nicht noch einmal angezeigt.',
    en: '{count} letters were created. Save the file now: it cannot be shown again.',
  },
  lettersDownload: { de: 'Briefe als PDF speichern', en: 'Save letters as PDF' },
  lettersMore_one: { de: 'Ein weiterer Brief fehlt noch.', en: 'One more letter is missing.' },
  lettersMore_other: {
    de: '{count} weitere Briefe fehlen noch: Eine Datei enthält höchstens 250.',
    en: '{count} more letters are missing: a file contains at most 250.',
  },
  lettersContinue: { de: 'Nächste Datei erstellen', en: 'Create the next file' },
} as const;
