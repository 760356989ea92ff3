export const en = {
  title: 'Welcome',
  hint: '{company} has invited you. Your role: {role}. Choose a password for {email}.',
  name: 'Your name',
  password: 'Password',
  passwordHint: 'At least 12 characters.',
  submit: 'Create account',
  gone: 'This invitation is no longer valid',
  goneHint: 'It was used, withdrawn or has expired. Ask an admin of your company for a new one.',
  toSignIn: 'Sign in',
  passwordCommon: 'This password is too common. Choose several unrelated words.',
  passwordContainsAddress: 'The password must not contain your email address or the part before the @.',
} as const;
