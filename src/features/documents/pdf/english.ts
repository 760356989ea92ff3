import type { Texts } from './german.ts';

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
    'deferred-plan': () => 'Full ticket price',
    'split-pay-plan': (amount) => `${amount} per month`,
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
    lastDayToChange: 'Changes possible until',
    ticketId: 'Ticket number',
    validity: 'Validity',
    lastDay: 'Last day of the subscription',
    lastDeduction: 'Last deduction',
    confirmedOn: 'Confirmed on',
    net: 'Net price',
    tax: 'VAT 7%',
    gross: 'Ticket price',
    companyShare: 'Employer’s share',
    employeeShare: 'Your share',
  },
  salutation: (name) => `Dear ${name},`,
  regards: 'Kind regards',
  subscription: {
    intro: (startsOn) => `Welcome aboard! Your job ticket is set up and starts on ${startsOn}.`,
    openTerm: 'Open-ended, month to month',
    fixedTerm: (lastDay) => `Fixed term until ${lastDay}`,
    closing: [
      'Your ticket is issued on the first of every month. You do not need to do anything else.',
      'Pauses and cancellations always take effect at the end of a month. Your HR department can tell you the deadline for requests.',
    ],
  },
  agreement: {
    startUnknown: 'To be confirmed',
    startAfterConsent: (earliest) =>
      `The month after the employee agrees${earliest === null ? '' : `, ${earliest} at the earliest`}`,
    lastDayToChange: (day) => `Day ${day} of a month, for the next month`,
    intro: 'The employer and the employee have agreed on the following terms for the job ticket.',
    terms: {
      'fully-subsidized-plan': [
        'The employer pays the full ticket price. Nothing is deducted from the employee’s salary.',
        'This agreement starts with the first ticket and ends with the subscription.',
      ],
      'deferred-plan': [
        'The employer advances the ticket price and deducts it in full from the employee’s salary.',
        'If the ticket price changes, the amount deducted changes accordingly.',
        'Nothing is deducted for months without a ticket, for example during a pause.',
        'This agreement starts with the first ticket and ends with the subscription.',
      ],
      'split-pay-plan': [
        'The employee share is deducted from the employee’s salary for every month with a ticket. It never exceeds the ticket price.',
        'The employer pays the rest of the ticket price. If the ticket price changes, the employer’s share changes accordingly.',
        'Nothing is deducted for months without a ticket, for example during a pause.',
        'This agreement starts with the first ticket and ends with the subscription.',
      ],
    },
    closing: {
      electronically: (agreedOn) => `The employee accepted this agreement electronically on ${agreedOn}.`,
      'on-paper': (agreedOn) => `The employee accepted this agreement on paper on ${agreedOn}.`,
    },
    recorded: 'The employer has recorded the consent of the employee.',
    recordedBy: (on, name) => `The consent was recorded on ${on} by ${name ?? 'the employer'}.`,
    offer: {
      intro: 'The employer offers the employee the following terms for the job ticket.',
      closing: 'This agreement applies once the employee has accepted it.',
    },
  },
  ticket: {
    intro: (month) => `A ticket for ${month} has been issued in your name.`,
    payment: {
      'fully-subsidized-plan': 'Your employer pays the ticket price. You pay nothing.',
      'deferred-plan': 'Your employer advances the ticket price and deducts it from your salary.',
      'split-pay-plan': 'Your share is deducted from your salary.',
    },
    closing: 'This document is not valid for travel. During ticket inspections, please show the ticket itself.',
  },
  cancellation: {
    intro: 'We confirm the end of your job ticket subscription.',
    closing: [
      'After that day, no more tickets are issued and nothing more is deducted.',
      'If you would like to come back later, a new subscription can start on the first of any month.',
    ],
    neverStarted: {
      intro: 'We confirm that your job ticket subscription was cancelled before it started.',
      closing: [
        'No tickets are issued for this subscription and nothing is deducted.',
        'If you change your mind, a new subscription can start on the first of any month.',
      ],
    },
  },
  footer: {
    issuer: (company) => `Transit Benefits on behalf of ${company}`,
    note: 'Issued electronically without a signature.',
    page: 'Page 1 of 1',
  },
};
