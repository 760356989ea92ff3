export const en = {
  title: 'Account',
  description: 'Who you are here, and how you sign in.',
  name: 'Name',
  email: 'Email',
  role: 'Role',
  passwordTitle: 'Change password',
  current: 'Current password',
  next: 'New password',
  nextHint: 'At least 12 characters. All your other sessions end.',
  repeat: 'New password again',
  differs: 'The two do not match.',
  wrong: 'The current password is not right.',
  submit: 'Change password',
  done: 'The password is changed. All your other sessions have ended.',
  passwordCommon:
    'This password is one of those that are guessed first. Choose several words that do not belong together.',
  passwordContainsAddress: 'The password must not contain your email address or the part of it before the @.',
} as const;
