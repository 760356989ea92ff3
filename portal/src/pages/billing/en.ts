export const en = {
  title: 'Billing',
  description: 'What was charged, by month and kind. Tickets are charged per employee, the rest per company.',
  chart: 'Gross per month by charge type',
  months: 'Months',
  month: 'Month',
  gross: 'Gross',
  emptyTitle: 'No charges yet',
  emptyHint: 'The first ones are made on the first of the month after somebody subscribed.',
  toEmployees: 'To the employees',
} as const;
