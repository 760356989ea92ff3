export const en = {
  title: 'Sign in',
  hint: 'Keys, syncs, employees and billing of your company.',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'Email and password do not match.',
  tooMany: 'Too many attempts. Try again in {count} seconds.',
  invite: 'No account yet? An admin of your company can invite you.',
  docs: 'API reference',
} as const;
