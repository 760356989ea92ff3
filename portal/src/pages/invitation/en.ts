export const en = {
  title: 'Welcome',
  hint: '{company} invites you as {role}. Choose a password for {email}.',
  name: 'Your name',
  password: 'Password',
  passwordHint: 'At least 12 characters.',
  submit: 'Join',
  gone: 'This invitation is not valid',
  goneHint: 'It was used, withdrawn or is too old. Ask an admin of your company for a new one.',
  toSignIn: 'Sign in',
  passwordCommon:
    'This password is one of those that are guessed first. Choose several words that do not belong together.',
  passwordContainsAddress: 'The password must not contain your email address or the part of it before the @.',
} as const;
