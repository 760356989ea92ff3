export const texts = {
  reactivated_one: {
    de: 'Eine Person, die ausscheidet oder abgemeldet ist, würde wieder aufgenommen.',
    en: 'One employee who is leaving or was removed would be reactivated.',
  },
  reactivated_other: {
    de: '{count} Personen, die ausscheiden oder abgemeldet sind, würden wieder aufgenommen.',
    en: '{count} employees who are leaving or were removed would be reactivated.',
  },
  leaving_one: {
    de: 'Eine Person fehlt auf der Personalliste und würde abgemeldet.',
    en: 'One employee is missing from the roster and would be offboarded.',
  },
  leaving_other: {
    de: '{count} Beschäftigte fehlen auf der Personalliste und würden abgemeldet.',
    en: '{count} employees are missing from the roster and would be offboarded.',
  },
  failing_one: {
    de: 'Ein Eintrag würde fehlschlagen. Alle anderen würden übernommen.',
    en: 'One entry would fail. All others would be applied.',
  },
  failing_other: {
    de: '{count} Einträge würden fehlschlagen. Alle anderen würden übernommen.',
    en: '{count} entries would fail. All others would be applied.',
  },
  reactivateTitle: { de: 'Personen wieder aufnehmen?', en: 'Reactivate employees?' },
  reactivateConfirm: { de: 'Wieder aufnehmen', en: 'Reactivate' },
  newFees_one: {
    de: 'Diese Personalliste verknüpft eine weitere Person. Das kostet {perMonth} zzgl. USt. im Monat.',
    en: 'This roster links one more employee, which costs {perMonth} plus VAT per month.',
  },
  newFees_other: {
    de: 'Diese Personalliste verknüpft {count} weitere Personen. Das kostet {perMonth} zzgl. USt. im Monat (je {perEmployee}). Wer schon über eine andere Integration verknüpft ist, kostet nichts zusätzlich.',
    en: 'This roster links {count} more employees, which costs {perMonth} plus VAT per month ({perEmployee} each). Employees already linked by another integration cost nothing extra.',
  },
  hrSystem: { de: 'Laut HR-System', en: 'According to the HR system' },
  unchanged: { de: 'Unverändert', en: 'Unchanged' },
  held: { de: 'Zurückgestellt', en: 'Held' },
  failed: { de: 'Fehlgeschlagen', en: 'Failed' },
  notSpecified: { de: 'keine Angabe', en: 'not specified' },
  byHand: { de: 'von Hand', en: 'by hand' },
  notApproved: { de: 'nicht genehmigt', en: 'not approved' },
  from: { de: 'vorher', en: 'before' },
  to: { de: 'jetzt', en: 'now' },
  more_one: { de: 'Eine weitere Änderung', en: 'One more change' },
  more_other: { de: '{count} weitere Änderungen', en: '{count} more changes' },
  takesEffect: { de: 'Wirksam zum {date}', en: 'Takes effect on {date}' },
  employee: { de: 'Beschäftigte/r {id}', en: 'Employee {id}' },
  gone: { de: 'ausgeschieden', en: 'removed' },
} as const;
