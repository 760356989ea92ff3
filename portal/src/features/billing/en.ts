export const en = {
  title: 'Billing',
  description: 'Charges by month and type. Tickets are charged per employee, everything else per company.',
  chart: 'Gross amount per month by charge type',
  months: 'Billing months',
  month: 'Month',
  gross: 'Gross',
  year: 'Total {year}',
  yearMonths_one: 'Gross, one month',
  yearMonths_other: 'Gross, {count} months',
  emptyTitle: 'No charges yet',
  emptyHint: 'The first charges are created on the first of the month after an employee has subscribed.',
  toEmployees: 'Go to employees',
} as const;
