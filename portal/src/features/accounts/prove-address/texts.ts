export const texts = {
  title: { de: 'Adresse bestätigen', en: 'Confirm your address' },
  description: {
    de: 'Bestätigen Sie, dass {email} Ihre Adresse ist. Danach können Sie alle Unternehmen öffnen, die diese Adresse eingeladen haben.',
    en: 'Confirm that {email} is your address. You can then open all companies that have invited this address.',
  },
  password: {
    de: 'Wenn Sie schon ein Konto in einem anderen Unternehmen haben, gilt dessen Passwort ab jetzt auch hier.',
    en: 'If you already have an account in another company, its password also applies here from now on.',
  },
  submit: { de: 'Adresse bestätigen', en: 'Confirm the address' },
  done: {
    de: 'Die Adresse ist bestätigt. Ihre anderen Sitzungen wurden beendet.',
    en: 'The address is confirmed. Your other sessions have been ended.',
  },
  wrong: {
    de: 'Dieser Link gehört nicht zu Ihrem Konto, ist abgelaufen oder wurde schon verwendet. Fordern Sie unter „Konto“ einen neuen an.',
    en: 'This link does not belong to your account, has expired or was used. Request a new one under Account.',
  },
  toAccount: { de: 'Zum Konto', en: 'To your account' },
} as const;
