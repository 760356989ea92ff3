export const texts = {
  description: {
    de: 'Die Quellen Ihrer Personallisten. Jede Integration hält ihre Beschäftigten aktuell.',
    en: 'The sources of your rosters. Each integration keeps its own employees up to date.',
  },
  create: { de: 'Integration hinzufügen', en: 'Add integration' },
  createTitle: { de: 'Neue API-Integration', en: 'New API integration' },
  createHint: {
    de: 'Ihr HR-System oder Skript sendet bei jeder Änderung die vollständige Personalliste an diese Integration.',
    en: 'Your HR system or script sends the complete roster to this integration whenever something changes.',
  },
  nameHint: {
    de: 'Zum Beispiel der Name des Systems, das die Personalliste sendet.',
    en: 'For example, the name of the system that sends the roster.',
  },
  submit: { de: 'Integration anlegen', en: 'Create integration' },
  createdTitle: { de: '{name} wurde angelegt', en: '{name} has been created' },
  id: { de: 'ID der Integration', en: 'Integration ID' },
  list: { de: 'Integrationen', en: 'Integrations' },
  emptyHint: {
    de: 'Verbinden Sie Ihr HR-System, oder senden Sie die erste Personalliste selbst. Der Abgleich legt Ihre Beschäftigten an.',
    en: 'Connect your HR system, or send the first roster yourself. The sync adds your employees.',
  },
  emptyHintViewer: {
    de: 'Die Administration oder Entwicklung Ihres Unternehmens kann eine Integration anlegen. Der erste Abgleich legt Ihre Beschäftigten an.',
    en: 'An admin or a developer of your company can create an integration. Its first sync adds your employees.',
  },
  uploadNext: {
    de: 'Laden Sie jetzt die erste Personalliste hoch. Sie sehen zuerst eine Vorschau.',
    en: 'Upload the first roster now. You will see a preview first.',
  },
  uploadOpen: { de: 'Personalliste hochladen', en: 'Upload a roster' },
  stepKey: {
    de: 'Legen Sie einen API-Schlüssel mit der Vorauswahl „HR-Abgleich“ an.',
    en: 'Create an API key with the preset “HR sync”.',
  },
  stepTry: {
    de: 'Testen Sie eine Personalliste, ohne etwas zu ändern. Die Antwort zeigt, was geschehen würde:',
    en: 'Try a roster without changing anything. The response shows what would happen:',
  },
  stepSend: {
    de: 'Senden Sie die Personalliste ohne {option}, um sie zu übernehmen. Senden Sie immer die vollständige Personalliste: Fehlende Beschäftigte werden abgemeldet.',
    en: 'Send the roster without {option} to apply it. Always send the complete roster: employees who are missing are offboarded.',
  },
  stepWatch: {
    de: 'Prüfen Sie das Ergebnis auf der Seite der Integration.',
    en: 'Check the result on the page of the integration.',
  },
  example: { de: 'Beispiel für einen Abgleich', en: 'Example sync request' },
} as const;
