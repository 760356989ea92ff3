export const texts = {
  description: {
    de: 'Die Benutzer Ihres Unternehmens melden sich über Ihren Identitätsanbieter an, mit OpenID Connect.',
    en: 'Let the users of your company sign in at your identity provider, by OpenID Connect.',
  },
  domains: { de: 'Domains', en: 'Domains' },
  domainsHint: {
    de: 'Adressen dieser Domains melden sich bei Ihrem Identitätsanbieter an. Bestätigen Sie jede Domain mit einem TXT-Eintrag im DNS.',
    en: 'Addresses of these domains sign in at your identity provider. Prove each domain with a TXT record in its DNS.',
  },
  addDomain: { de: 'Domain hinzufügen', en: 'Add domain' },
  proven: { de: 'Bestätigt', en: 'Proven' },
  unproven: { de: 'Nicht bestätigt', en: 'Not proven' },
  record: { de: 'TXT-Eintrag {name} mit dem Wert {value}', en: 'TXT record {name} with the value {value}' },
  check: { de: 'Jetzt prüfen', en: 'Check now' },
  removeOf: { de: '{domain} entfernen', en: 'Remove {domain}' },
  provider: { de: 'Identitätsanbieter', en: 'Identity provider' },
  redirectUri: {
    de: 'Redirect-URI. Tragen Sie sie bei Ihrem Identitätsanbieter ein',
    en: 'Redirect URI. Enter it at your identity provider',
  },
  issuer: { de: 'Aussteller (Issuer)', en: 'Issuer' },
  issuerHint: {
    de: 'Die Adresse, die vor /.well-known/openid-configuration endet.',
    en: 'The address that ends before /.well-known/openid-configuration.',
  },
  clientSecretHint: {
    de: 'Es wird verschlüsselt gespeichert und nie wieder angezeigt. Lassen Sie es leer, um das gespeicherte zu behalten.',
    en: 'It is stored encrypted and never shown again. Leave it empty to keep the stored one.',
  },
  defaultRoles: { de: 'Rollen ohne passende Gruppe', en: 'Roles without a matching group' },
  defaultRolesHint: {
    de: 'Wenn keine ausgewählt ist, werden Benutzer ohne passende Gruppe abgewiesen.',
    en: 'If none is selected, users without a matching group are refused.',
  },
  groupsClaim: { de: 'Claim mit den Gruppen', en: 'Claim with the groups' },
  groupRoles: { de: 'Rollen der Gruppen', en: 'Roles of groups' },
  groupRolesHint: {
    de: 'Eine Gruppe pro Zeile, etwa „people-team: hr, payroll“. Rollen: admin, hr, payroll, developer, viewer.',
    en: 'One group per line, such as “people-team: hr, payroll”. Roles: admin, hr, payroll, developer, viewer.',
  },
  groupRolesWrong: {
    de: 'Zeile {line} hat keine Gruppe oder eine unbekannte Rolle.',
    en: 'Line {line} has no group or an unknown role.',
  },
  isEnforced: { de: 'Nur Single Sign-on erlauben', en: 'Allow single sign-on only' },
  isEnforcedHint: {
    de: 'Alle anderen Sitzungen enden. Nur der unten gewählte Benutzer kann noch ein Passwort verwenden, falls der Anbieter ausfällt.',
    en: 'All other sessions end. Only the admin below can still use a password, in case the provider fails.',
  },
  breakGlass: { de: 'Benutzer, der ein Passwort verwenden darf', en: 'Admin who may use a password' },
  submit: { de: 'Speichern', en: 'Save' },
  saved: { de: 'Single Sign-on wurde gespeichert.', en: 'Single sign-on has been saved.' },
  removeAll: { de: 'Single Sign-on entfernen', en: 'Remove single sign-on' },
  removed: {
    de: 'Single Sign-on wurde entfernt. Passwörter gelten wieder.',
    en: 'Single sign-on has been removed. Passwords count again.',
  },
} as const;
