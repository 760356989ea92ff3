export const en = {
  title: 'Sign in',
  hint: 'API keys, HR integrations, employees and billing of your company.',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'Incorrect email or password.',
  tooMany: 'Too many attempts. Try again in {count} seconds.',
  invite: 'No account yet? An admin of your company can invite you.',
  docs: 'API reference',
} as const;
