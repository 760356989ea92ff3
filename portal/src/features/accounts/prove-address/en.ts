export const en = {
  title: 'Confirm your address',
  description: 'Confirm that {email} is your address. You can then open all companies that have invited this address.',
  password: 'If you already have an account in another company, its password also applies here from now on.',
  submit: 'Confirm the address',
  done: 'The address is confirmed. Your other sessions have been ended.',
  wrong: 'This link does not belong to your account, has expired or was used. Request a new one under Account.',
  toAccount: 'To your account',
} as const;
