import type { policies as english } from './policies.en.ts';

export const policies: { readonly [Key in keyof typeof english]: string } = {
  'policy-amounts':
    'müssen beim geteilten Modell genau eine Angabe haben: Betrag der Person, Betrag des Unternehmens oder Prozentsatz. Die anderen Modelle haben keine',
  'policy-bounds': 'dürfen Mindest- und Höchstbetrag nur mit einem Prozentsatz haben',
  'policy-bounds-order': 'müssen einen Höchstbetrag haben, der nicht unter dem Mindestbetrag liegt',
  'policy-name-taken': 'gehört schon zu einer anderen Kostenregel: Wählen Sie einen anderen Namen',
  'policy-order-mismatch': 'Inzwischen gibt es andere Kostenregeln. Laden Sie die Seite neu, und ordnen Sie sie dann.',
  'policy-change-past': 'muss ein Monat nach dem heutigen {today:date} sein',
  'policy-change-deadline': 'muss zwischen dem {first:date} und dem {last:date} liegen',
  'policy-change-conflict': 'hat für diese Kostenregel schon andere Bedingungen: Wählen Sie einen späteren Monat',
  'policy-change-open':
    'muss warten, weil eine andere Änderung dieser Kostenregel noch läuft: Warten Sie, bis deren Monat begonnen hat',
  'policy-change-confirmation':
    'Jetzt sind {affected} Beschäftigte betroffen, bestätigt wurden {confirmed}. Sehen Sie sich die Vorschau noch einmal an.',
  'policy-change-deadline-over': 'Die Frist ist abgelaufen: Niemand kann mehr zustimmen.',
};
