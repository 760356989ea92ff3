export const texts = {
  description: {
    de: 'Posten nach Monat und Art. Tickets werden je Person berechnet, alles andere je Unternehmen.',
    en: 'Charges by month and type. Tickets are charged per employee, everything else per company.',
  },
  chart: { de: 'Bruttobetrag je Monat nach Art', en: 'Gross amount per month by charge type' },
  months: { de: 'Abrechnungsmonate', en: 'Billing months' },
  month: { de: 'Abrechnungsmonat', en: 'Month' },
  year: { de: 'Summe {year}', en: 'Total {year}' },
  yearMonths_one: { de: 'Brutto, ein Monat', en: 'Gross, one month' },
  yearMonths_other: { de: 'Brutto, {count} Monate', en: 'Gross, {count} months' },
  emptyTitle: { de: 'Noch keine Posten', en: 'No charges yet' },
  emptyHint: {
    de: 'Die ersten Posten entstehen am Monatsersten, nachdem ein Abo abgeschlossen wurde.',
    en: 'The first charges are created on the first of the month after an employee has subscribed.',
  },
  toCorrections: { de: 'Korrekturen', en: 'Corrections' },
  toForecast: { de: 'Prognose', en: 'Forecast' },
  toEmployees: { de: 'Zu den Beschäftigten', en: 'Go to employees' },
} as const;
