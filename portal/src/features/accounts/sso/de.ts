import type { Translation } from '../../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Single Sign-on',
  description: 'Die Benutzer Ihres Unternehmens melden sich über Ihren Identitätsanbieter an, mit OpenID Connect.',
  domains: 'Domains',
  domainsHint:
    'Adressen dieser Domains melden sich bei Ihrem Identitätsanbieter an. Bestätigen Sie jede Domain mit einem TXT-Eintrag im DNS.',
  domain: 'Domain',
  addDomain: 'Domain hinzufügen',
  proven: 'Bestätigt',
  unproven: 'Nicht bestätigt',
  record: 'TXT-Eintrag {name} mit dem Wert {value}',
  check: 'Jetzt prüfen',
  remove: 'Entfernen',
  removeOf: '{domain} entfernen',
  provider: 'Identitätsanbieter',
  redirectUri: 'Redirect-URI. Tragen Sie sie bei Ihrem Identitätsanbieter ein',
  issuer: 'Aussteller (Issuer)',
  issuerHint: 'Die Adresse, die vor /.well-known/openid-configuration endet.',
  clientId: 'Client-ID',
  clientSecret: 'Client-Secret',
  clientSecretHint:
    'Es wird verschlüsselt gespeichert und nie wieder angezeigt. Lassen Sie es leer, um das gespeicherte zu behalten.',
  defaultRoles: 'Rollen ohne passende Gruppe',
  defaultRolesHint: 'Wenn keine ausgewählt ist, werden Benutzer ohne passende Gruppe abgewiesen.',
  groupsClaim: 'Claim mit den Gruppen',
  groupRoles: 'Rollen der Gruppen',
  groupRolesHint:
    'Eine Gruppe pro Zeile, etwa „people-team: hr, payroll“. Rollen: admin, hr, payroll, developer, viewer.',
  groupRolesWrong: 'Zeile {line} hat keine Gruppe oder eine unbekannte Rolle.',
  isEnforced: 'Nur Single Sign-on erlauben',
  isEnforcedHint:
    'Alle anderen Sitzungen enden. Nur der unten gewählte Benutzer kann noch ein Passwort verwenden, falls der Anbieter ausfällt.',
  breakGlass: 'Benutzer, der ein Passwort verwenden darf',
  submit: 'Speichern',
  saved: 'Single Sign-on wurde gespeichert.',
  removeAll: 'Single Sign-on entfernen',
  removed: 'Single Sign-on wurde entfernt. Passwörter gelten wieder.',
};
