export const en = {
  title: 'Single sign-on',
  wait: 'You are being signed in.',
  toSignIn: 'Back to sign-in',
} as const;
