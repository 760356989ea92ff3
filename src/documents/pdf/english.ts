import type { Texts } from './texts.ts';

export const english: Texts = {
  language: 'en',
  names: {
    'subscription-confirmation': 'Subscription confirmation',
    'contribution-agreement': 'Contribution agreement',
    'ticket-confirmation': 'Ticket confirmation',
    'cancellation-confirmation': 'Cancellation confirmation',
  },
  plans: {
    'fully-subsidized-plan': 'Paid in full by the employer',
    'deferred-plan': 'Paid through payroll',
    'split-pay-plan': 'Shared costs',
  },
  contributions: {
    'fully-subsidized-plan': () => 'None',
    'deferred-plan': () => 'The full ticket price',
    'split-pay-plan': (amount) => `${amount} a month`,
  },
  labels: {
    date: 'Date',
    number: 'Document number',
    employer: 'Employer',
    employee: 'Employee',
    plan: 'Cost model',
    contribution: 'Your share',
    agreedContribution: 'Employee share',
    startsOn: 'Start',
    term: 'Term',
    firstMonth: 'First month',
    agreedOn: 'Agreed on',
    ticketId: 'Ticket number',
    validity: 'Validity',
    lastDay: 'Last day of the subscription',
    confirmedOn: 'Confirmed on',
    net: 'Net price',
    tax: 'VAT 7%',
    gross: 'Ticket price',
    companyShare: 'of which your employer pays',
    employeeShare: 'of which you pay',
  },
  salutation: (name) => `Dear ${name},`,
  regards: 'Kind regards',
  subscription: {
    intro: (startsOn) => `Welcome on board: your job ticket is set up and starts on ${startsOn}.`,
    openTerm: 'Open-ended, month by month',
    fixedTerm: (lastDay) => `Fixed term until ${lastDay}`,
    closing: [
      'Your ticket is issued on the first of every month. There is nothing else you need to do.',
      'A running subscription always pauses or ends at the end of a month. Your HR department will tell you by when they need to know.',
    ],
  },
  agreement: {
    startUnknown: 'Not known yet',
    intro: 'The employer and the employee have agreed the following for the job ticket.',
    terms: {
      'fully-subsidized-plan': [
        'The employer pays the full ticket price. Nothing is deducted from the salary.',
        'The agreement starts with the first ticket and ends with the subscription.',
      ],
      'deferred-plan': [
        'The employer advances the ticket price and deducts it in full from the salary.',
        'If the ticket price changes, the amount deducted changes with it.',
        'Nothing is deducted for months without a ticket, such as those of a pause.',
        'The agreement starts with the first ticket and ends with the subscription.',
      ],
      'split-pay-plan': [
        'The employee share is deducted from the salary for every month with a ticket, but never more than the ticket price.',
        "The employer pays the rest of the ticket price. If the ticket price changes, the employer's share changes.",
        'Nothing is deducted for months without a ticket, such as those of a pause.',
        'The agreement starts with the first ticket and ends with the subscription.',
      ],
    },
    closing: (agreedOn) => `The employee accepted this agreement electronically on ${agreedOn}.`,
  },
  ticket: {
    intro: (month) => `A ticket for ${month} has been issued in your name.`,
    payment: {
      'fully-subsidized-plan': 'Your employer pays the ticket price. There is nothing for you to pay.',
      'deferred-plan': 'Your employer advances the ticket price and deducts it from your salary.',
      'split-pay-plan': 'Your share is deducted from your salary.',
    },
    closing: 'This letter is not valid for travel. Please show the ticket itself when asked.',
  },
  cancellation: {
    intro: 'This is to confirm the end of your job ticket subscription.',
    closing: [
      'For the time after that day no ticket is issued and nothing is deducted.',
      'Would you like to come back later? A new subscription can start on the first of any month.',
    ],
    neverStarted: {
      intro: 'This is to confirm that your job ticket subscription was cancelled before it started.',
      closing: [
        'No ticket is issued for this subscription and nothing is deducted.',
        'Would you like to join later after all? A new subscription can start on the first of any month.',
      ],
    },
  },
  footer: {
    issuer: (company) => `Transit Benefits on behalf of ${company}`,
    note: 'Issued electronically, without a signature.',
    page: 'Page 1 of 1',
  },
};
