export const texts = {
  title: { de: 'Identitätsanbieter (SCIM)', en: 'Identity provider (SCIM)' },
  off: {
    de: 'Microsoft Entra ID, Okta oder ein anderer Identitätsanbieter kann diese Personalliste pflegen. Legen Sie dafür ein Token an.',
    en: 'Microsoft Entra ID, Okta or another identity provider can keep this roster. Create a token for it.',
  },
  on: {
    de: 'Der Identitätsanbieter pflegt diese Personalliste: {users} Benutzer, davon {active} aktiv. HR-ID: {attribute}.',
    en: 'The identity provider keeps this roster: {users} users, {active} of them active. HR id: {attribute}.',
  },
  used: { de: 'Zuletzt verwendet:', en: 'Last used:' },
  previous: { de: 'Das vorige Token gilt noch bis', en: 'The previous token works until' },
  waiting_one: {
    de: 'Eine Änderung wartet. Übernahme spätestens:',
    en: 'One change is waiting. Applied at the latest:',
  },
  waiting_other: {
    de: '{count} Änderungen warten. Übernahme spätestens:',
    en: '{count} changes are waiting. Applied at the latest:',
  },
  held_one: {
    de: 'Eine Abmeldung wartet auf Freigabe: Innerhalb von 24 Stunden würden zu viele Beschäftigte abgemeldet, oder der Identitätsanbieter hat noch nicht alle gesendet.',
    en: 'One removal waits for approval: too many employees would be removed within 24 hours, or the identity provider has not sent all of them yet.',
  },
  held_other: {
    de: '{count} Abmeldungen warten auf Freigabe: Innerhalb von 24 Stunden würden zu viele Beschäftigte abgemeldet, oder der Identitätsanbieter hat noch nicht alle gesendet.',
    en: '{count} removals wait for approval: too many employees would be removed within 24 hours, or the identity provider has not sent all of them yet.',
  },
  decide: { de: 'Ansehen und entscheiden', en: 'View and decide' },
  create: { de: 'Token anlegen', en: 'Create token' },
  createText: {
    de: 'Mit dem Token sendet Ihr Identitätsanbieter Benutzer an diese Integration. Personallisten auf anderen Wegen werden dann abgelehnt.',
    en: 'With the token, your identity provider sends users to this integration. Rosters that arrive in other ways are then refused.',
  },
  replace: { de: 'Token ersetzen', en: 'Replace token' },
  replaceText: {
    de: 'Das bisherige Token gilt noch 24 Stunden. Tragen Sie das neue bis dahin bei Ihrem Identitätsanbieter ein. Soll das bisherige sofort enden, widerrufen Sie es zuerst.',
    en: 'The current token works for another 24 hours. Enter the new one at your identity provider by then. To end the current one at once, revoke it first.',
  },
  created: { de: 'Das Token wurde angelegt', en: 'The token has been created' },
  next: {
    de: 'Tragen Sie beides bei Ihrem Identitätsanbieter ein.',
    en: 'Enter both at your identity provider.',
  },
  url: { de: 'URL', en: 'URL' },
  token: { de: 'Token', en: 'Token' },
  done: { de: 'Fertig', en: 'Done' },
  revoke: { de: 'Token widerrufen', en: 'Revoke token' },
  revokeText: {
    de: 'Der Identitätsanbieter kann danach nichts mehr ändern. Beschäftigte bleiben, und angenommene Änderungen werden noch übernommen.',
    en: 'The identity provider can change nothing any more. Employees stay, and accepted changes are still applied.',
  },
  revoked: { de: 'Das Token wurde widerrufen.', en: 'The token has been revoked.' },
  hrIdChange: { de: 'HR-ID ändern', en: 'Change HR id' },
  hrIdText: {
    de: 'Künftig ist {attribute} die HR-ID. Die Beschäftigten werden an ihrer E-Mail-Adresse erkannt und bekommen beim nächsten Abgleich ihre neue HR-ID.',
    en: 'From now on, {attribute} is the HR id. Employees are recognised by their email addresses and get their new HR ids with the next sync.',
  },
  hrIdChanged: { de: 'Die HR-ID wurde geändert.', en: 'The HR id has been changed.' },
} as const;
