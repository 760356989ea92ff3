/** What is said about benefit policies, and about changes of what employees pay. */
export const policies = {
  'policy-amounts':
    'must have exactly one of what the employee pays, what the company pays and the percentage for split pay, and none for the other plans',
  'policy-bounds': 'must have a minimum and a maximum only with a percentage',
  'policy-bounds-order': 'must have a maximum that is at least the minimum',
  'policy-name-taken': 'is the name of another policy: choose another name',
  'policy-order-mismatch': 'Other policies exist by now. Load the page again, then order them.',
  'policy-change-past': 'must be a month after today, {today:date}',
  'policy-change-deadline': 'must be from {first:date} to {last:date}',
  'policy-change-conflict': 'is the month of other terms of this policy: choose a later month',
  'policy-change-open': 'must wait, because another change of this policy is not over: wait until its month has begun',
  'policy-change-confirmation':
    '{affected} employees are affected now, but {confirmed} were confirmed. Look at the preview again.',
  'policy-change-deadline-over': 'The deadline is over: nobody can agree any more.',
} as const;
