import { texts as words } from '../portal/src/app/i18n/word-texts.ts';
import { texts as kinds } from '../portal/src/features/documents/texts.ts';
import {
  type ChargeType,
  chargeTypes,
  type DocumentKind,
  documentKinds,
  type PlanType,
  planTypes,
  type RequestAction,
  requestActions,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '../src/domain/enums.ts';
import { moneyFormat } from '../src/domain/money.ts';
import { ruleIds } from '../src/domain/subscription/rules.ts';
import { needsContract } from '../src/domain/subscription/subscription.ts';
import { type Cause, causes } from '../src/domain/subscription/transitions.ts';
import {
  cutOffs,
  exampleContributionCents,
  examplePrice,
  isEnd,
  listAmounts,
  listTransitions,
  running,
  table,
} from './generate-life-cycle.ts';

/** Generates docs/de/subscription-life-cycle.md: the same rules in the words that the portal uses. */

const statuses: Record<SubscriptionStatus, { means: string; upcoming: string }> = {
  'no-subscription': { means: 'nie ein Abo gehabt', upcoming: 'keine' },
  scheduled: { means: 'beginnt später', upcoming: 'Beginn' },
  active: { means: 'läuft', upcoming: 'keine' },
  'scheduled-pause': { means: 'läuft, eine Pause ist geplant', upcoming: 'Pause' },
  paused: { means: 'derzeit kein Ticket', upcoming: 'Fortsetzung oder Ende; keine, solange beides unbekannt ist' },
  'scheduled-cancellation': {
    means: 'läuft, das Ende steht fest, vielleicht nach einer geplanten Pause',
    upcoming: 'Ende, oder vorher eine Pause',
  },
  cancelled: { means: 'beendet', upcoming: 'keine' },
};

const causeMeanings: Record<Cause, string> = {
  termination: 'Die Personalliste nennt einen letzten Arbeitstag',
  offboard: 'Die Person fehlt auf der Personalliste',
  'contract-rejected': 'Die Vereinbarung ist abgelehnt',
  'opt-out': 'Laut Personalliste möchte die Person kein Abo',
  cancel: 'Jemand beendet das Abo',
  subscribe: 'Laut Personalliste möchte die Person ein Abo, oder jemand schließt es ab',
  start: 'Der erste Arbeitstag oder die Abwesenheiten vor dem Beginn ändern sich',
  absence: 'Eine genehmigte Abwesenheit wird bekannt oder ändert sich',
  'absence-withdrawn': 'Eine Abwesenheit wird zurückgenommen, verkürzt oder ist nicht mehr genehmigt',
  pause: 'Jemand pausiert das Abo',
  resume: 'Jemand nimmt die eigene Pause zurück',
  undo: 'Jemand macht eine Änderung rechtzeitig rückgängig',
  'termination-withdrawn': 'Der letzte Arbeitstag wird zurückgenommen',
  return: 'Die Person steht wieder auf der Personalliste',
  'contract-accepted': 'Die Vereinbarung ist angenommen',
  'plan-change': 'Das Unternehmen ändert, was die Person bezahlt, oder sie entscheidet darüber',
  'not-subscribed': 'Eine Person der Personalliste bekommt nach den Regeln kein Abo',
  calendar: 'Ein geplanter Termin ist erreicht',
};

/** What the transitions change, by the English text of the rules. */
const changes: Readonly<Record<string, string>> = {
  'cancelledOn = the first of the month after the last day, cut-off permitting':
    '*Ende* = der Erste des Monats nach dem letzten Arbeitstag, wenn der Stichtag es zulässt',
  'cancelledOn = the first of the next month, cut-off permitting':
    '*Ende* = der Erste des nächsten Monats, wenn der Stichtag es zulässt',
  'cancelledOn = today; planned dates that were not reached become null':
    '*Ende* = heute; geplante Termine, die nicht erreicht wurden, entfallen',
  'cancelledOn = null, or the date of the remaining causes':
    'das *Ende* entfällt, oder es gilt der Termin der übrigen Ursachen',
  'startOn = the first possible month; contract pending if the plan needs one':
    '*Beginn* = der erste mögliche Monat; die Vereinbarung ist offen, wenn das Kostenmodell eine braucht',
  'cancelledOn = null; startOn = reactivatedOn = the first possible month; plan and contract as at first':
    'das *Ende* entfällt; *Beginn* = der erste mögliche Monat; Kostenmodell und Vereinbarung wie beim ersten Mal',
  'startOn follows the first day of employment and the absences':
    'der *Beginn* richtet sich nach erstem Arbeitstag und Abwesenheiten',
  'pausedOn = the first of the next month, cut-off permitting; resumesOn = the first month that begins on or after the first day of employment':
    '*Pause* = der Erste des nächsten Monats, wenn der Stichtag es zulässt; *Fortsetzung* = der erste Monat, der am oder nach dem ersten Arbeitstag anfängt',
  'the pause is no longer needed: pausedOn = resumesOn = null': 'die Pause ist nicht mehr nötig und entfällt',
  'as from `active`': 'wie bei „Aktiv“',
  'resumesOn = the first possible month that begins on or after the first day of employment':
    '*Fortsetzung* = der erste mögliche Monat, der am oder nach dem ersten Arbeitstag anfängt',
  'contract accepted; the start is no longer postponed':
    'die Vereinbarung ist angenommen; der Beginn verschiebt sich nicht mehr',
  'pausedOn = the first completely covered month, cut-off permitting; resumesOn = the first month after it that is not':
    '*Pause* = der erste Monat, der ganz in die Abwesenheit fällt, wenn der Stichtag es zulässt; *Fortsetzung* = der erste Monat danach, für den das nicht gilt',
  'resumesOn = the first month that is not completely covered':
    '*Fortsetzung* = der erste Monat, der nicht ganz in die Abwesenheit fällt',
  'pausedOn = resumesOn = null': 'die *Pause* entfällt',
  'resumesOn = the first of the next month, or the first month that is not completely covered':
    '*Fortsetzung* = der Erste des nächsten Monats oder der erste Monat, der nicht ganz in eine Abwesenheit fällt',
  'pausedOn = the first month that was asked for, cut-off permitting; resumesOn = the first month after it that nothing pauses, if it is known':
    '*Pause* = der erste gewünschte Monat, wenn der Stichtag es zulässt; *Fortsetzung* = der erste Monat danach, den nichts pausiert, wenn er bekannt ist',
  'resumesOn = the first possible month that nothing pauses, if it is known':
    '*Fortsetzung* = der erste mögliche Monat, den nichts pausiert, wenn er bekannt ist',
  'startOn = the first possible month that nothing pauses': '*Beginn* = der erste mögliche Monat, den nichts pausiert',
  'pausedOn = resumesOn = null, or the dates of the other pauses':
    'die *Pause* entfällt, oder es gelten die Termine der übrigen Pausen',
  'cancelledOn = the first of the month that was asked for, or of the next one, cut-off permitting':
    '*Ende* = der Erste des gewünschten oder des nächsten Monats, wenn der Stichtag es zulässt',
  'cancelledOn = the first of the month that was asked for, if that leaves a month with a ticket':
    '*Ende* = der Erste des gewünschten Monats, wenn vorher ein Monat mit Ticket bleibt',
  'the plan from a later month on, and contract pending if the share of the employee rises':
    'das Kostenmodell ab einem späteren Monat; die Vereinbarung ist wieder offen, wenn der Eigenanteil steigt',
  'the dates before the request': 'es gelten wieder die Termine von vorher',
  'resumesOn = the first possible month': '*Fortsetzung* = der erste mögliche Monat',
  'cancelledOn = the first of the month after the last day, if that leaves a month with a ticket':
    '*Ende* = der Erste des Monats nach dem letzten Arbeitstag, wenn vorher ein Monat mit Ticket bleibt',
  'cancelledOn = the first of the month after the last day, if the pause ends before it':
    '*Ende* = der Erste des Monats nach dem letzten Arbeitstag, wenn die Pause vorher endet',
  'cancelledOn = null': 'das *Ende* entfällt',
  'none: the reason is recorded, once': 'keine: Der Grund wird einmal festgehalten',
  'none: the reason is recorded, unless the earlier end explains it':
    'keine: Der Grund wird festgehalten, außer das frühere Ende erklärt ihn',
  'startOn is reached': 'der *Beginn* ist erreicht',
  'the contract is not accepted, or the absence has no end: startOn is postponed':
    'die Vereinbarung ist nicht angenommen, oder die Abwesenheit hat kein Ende: Der *Beginn* verschiebt sich',
  'the start was postponed past the end: no month is left':
    'der Beginn hat sich über das Ende hinaus verschoben: Es bleibt kein Monat',
  'pausedOn is reached': 'die *Pause* ist erreicht',
  'resumesOn is reached: reactivatedOn = that day, resumesOn = null, pausedOn stays':
    'die *Fortsetzung* ist erreicht: Es gibt wieder Tickets',
  'cancelledOn is reached; a planned pause is dropped': 'das *Ende* ist erreicht; eine geplante Pause entfällt',
};

function translateChange(english: string): string {
  const german = changes[english];
  if (german === undefined) throw new Error(`Add the German text to scripts/generate-life-cycle.de.ts: "${english}"`);
  return german;
}

const rules: Record<(typeof ruleIds)[number], string> = {
  'start-next-month': 'Der nächste Monat ist möglich: Das Abo beginnt am Ersten.',
  'start-with-employment':
    'Die Beschäftigung beginnt später: Das Abo beginnt mit dem ersten Monat, der am oder nach dem ersten Arbeitstag anfängt.',
  'plan-change-announced':
    'Das Unternehmen ändert ab einem späteren Monat, wer was bezahlt, und der Eigenanteil steigt nicht.',
  'plan-change-offered':
    'Das Unternehmen erhöht den Eigenanteil ab einem späteren Monat: Das Kostenmodell bleibt, bis die Person zustimmt.',
  'plan-change-accepted': 'Die Person hat dem höheren Eigenanteil zugestimmt.',
  'plan-change-rejected': 'Die Person hat dem höheren Eigenanteil nicht zugestimmt: Das Kostenmodell bleibt.',
  'plan-change-no-answer':
    'Die Person hat dem höheren Eigenanteil bis zum Ende der Frist nicht zugestimmt: Das Kostenmodell bleibt.',
  'plan-changed': 'Der Monat des neuen Kostenmodells hat begonnen, oder dem alten hatte noch niemand zugestimmt.',
  'start-after-waiting':
    'Die Kostenregel sieht Tickets erst einige Monate nach dem ersten Arbeitstag vor: Das Abo beginnt mit dem ersten Monat danach.',
  'start-after-absence':
    'Frühere Monate fallen ganz in genehmigte Abwesenheiten: Das Abo beginnt mit dem ersten, für den das nicht gilt.',
  'start-awaits-absence-end':
    'Eine genehmigte Abwesenheit ohne Ende umfasst den Beginn: Er verschiebt sich, bis ein Ende bekannt ist.',
  'start-after-pause': 'Frühere Monate sind auf Wunsch pausiert: der erste, für den das nicht gilt.',
  'start-requested': 'Ein späterer Beginn war gewünscht: der erste gewünschte Monat.',
  'start-awaits-resumption':
    'Eine gewünschte Pause ohne Ende umfasst den Beginn: Er verschiebt sich, bis jemand das Abo fortsetzt.',
  'start-awaits-contract':
    'Der Beginn ist erreicht, aber die Vereinbarung nicht angenommen: Er verschiebt sich auf den nächsten möglichen Monat.',
  'start-has-come': 'Der Beginn ist erreicht.',
  'contract-accepted': 'Die Vereinbarung verzögert den Beginn nicht mehr.',
  'pause-whole-months': 'Ganze Monate fallen in genehmigte Abwesenheiten, die rechtzeitig bekannt wurden.',
  'pause-after-cut-off':
    'Ein Grund für eine Pause wurde nach dem Stichtag bekannt: Sie beginnt mit dem ersten Monat, der noch möglich ist.',
  'pause-requested': 'Das Unternehmen (Benutzer, API-Schlüssel oder Betreiber) hat rechtzeitig pausiert.',
  'pause-requested-by-employee': 'Die Person hat rechtzeitig pausiert.',
  'pause-until-employment':
    'Der erste Arbeitstag rückt hinter den laufenden Monat: Pause ab dem nächsten Monat bis zum ersten, der am oder nach diesem Tag anfängt.',
  'pause-taken-back': 'Für die geplante Pause gibt es keinen Grund mehr.',
  'pause-taken-back-on-request': 'Wer die geplante Pause wollte, hat sie zurückgenommen, und nichts anderes pausiert.',
  'pause-has-come': 'Die geplante Pause ist erreicht.',
  'resumption-known':
    'Während der Pause: der erste mögliche Monat, in dem die Person arbeitet und nicht durchgehend abwesend ist.',
  'resumption-unknown':
    'Während der Pause: Die Abwesenheit hat kein Ende, oder die Pause ist bis auf Weiteres gewünscht.',
  'resumption-requested':
    'Das Unternehmen hat seine Pause zurückgenommen: der erste Monat, den nichts anderes pausiert.',
  'resumption-requested-by-employee':
    'Die Person hat ihre Pause zurückgenommen: der erste Monat, den nichts anderes pausiert.',
  'resumption-awaits-others':
    'Eine Seite hat ihre Pause zurückgenommen, aber die andere Seite oder eine Abwesenheit pausiert noch.',
  'resumption-has-come': 'Die geplante Fortsetzung ist erreicht.',
  'end-after-termination':
    'Das Ende der Beschäftigung wurde rechtzeitig bekannt: der Erste des Monats nach dem letzten Arbeitstag.',
  'end-at-earliest': 'Ein anderer Grund für ein Ende wurde rechtzeitig bekannt: der Erste des nächsten Monats.',
  'end-requested': 'Ein späteres Ende war rechtzeitig gewünscht: der Erste des gewünschten Monats.',
  'end-after-cut-off': 'Ein Grund für ein Ende wurde nach dem Stichtag bekannt: der erste Monat, der noch möglich ist.',
  'end-without-ticket': 'Vor dem Ende läuft kein Ticket und würde keines ausgestellt: Das Abo endet sofort.',
  'end-as-planned': 'Ein Grund für ein Ende kam hinzu oder entfiel, und der Termin bleibt gleich.',
  'end-before-start': 'Der Beginn hat sich verschoben, und vor dem Ende bleibt kein Monat: Das Abo endet sofort.',
  'end-taken-back': 'Der letzte Grund für ein Ende ist entfallen.',
  'end-has-come': 'Das geplante Ende ist erreicht.',
  'request-undone': 'Eine Änderung wurde rechtzeitig rückgängig gemacht: Es gilt wieder, was vorher geplant war.',
  'not-subscribed-opted-out': 'Laut Personalliste möchte die Person kein Abo.',
  'not-subscribed-not-requested':
    'Die Personalliste macht keine Angabe, und kein Benutzer hat das Abo abgeschlossen. Treten Beschäftigte selbst bei: Die Person ist nicht beigetreten.',
  'not-subscribed-employment-ends': 'Die Beschäftigung endet vor dem ersten Monat, für den ein Ticket möglich wäre.',
  'not-subscribed-ended-by-employee':
    'Die Personalliste wünscht ein Abo, aber die Person hat es beendet: Nur sie startet es wieder, oder das Unternehmen mit ihrer Zustimmung.',
  'not-subscribed-ended-by-company':
    'Die Personalliste wünscht ein Abo, aber das Unternehmen hat es beendet: Nur das Unternehmen startet es wieder.',
};

const subjects = {
  start: 'Beginn',
  contract: 'Vereinbarung',
  pause: 'Pause',
  resumption: 'Fortsetzung',
  end: 'Ende',
  request: 'Rückgängig',
  plan: 'Kostenmodell',
  'not-subscribed': 'Kein Abo',
};

function ruleSubject(id: (typeof ruleIds)[number]): string {
  const subject = Object.entries(subjects).find(([prefix]) => id.startsWith(`${prefix}-`))?.[1];
  if (subject === undefined) throw new Error(`Add the subject to scripts/generate-life-cycle.de.ts: ${id}`);
  return subject;
}

const payers: Record<PlanType, string> = {
  'fully-subsidized-plan': 'das Unternehmen',
  'deferred-plan': 'die Person über den Lohn; das Unternehmen legt den Betrag aus',
  'split-pay-plan': 'die Person den Eigenanteil, höchstens den Preis; das Unternehmen den Rest',
};

const charges: Record<ChargeType, string> = {
  'service-charge': 'je Ticket, ein Posten je Unternehmen und Monat',
  'ticket-charge': 'ein Posten je Ticket',
  'hr-integration-charge':
    'je Person, die eine abrufende Integration (`hr-integration`) verknüpft, ein Posten je Integration und Monat; jede Person zählt einmal, bei der, die sie zuerst verknüpft hat',
  'hr-payroll-integration-charge':
    'ein Posten je Unternehmen, für den Vormonat, wenn in ihm ein Lohnexport erstellt wurde',
  'api-charge': 'ein Posten je Unternehmen, für den Vormonat, wenn das Unternehmen in ihm die API genutzt hat',
};

const documents: Record<DocumentKind, string> = {
  'subscription-confirmation':
    'der Tag des ersten Tickets bekannt wird oder sich ändert; nach der Vereinbarung, wenn das Kostenmodell eine braucht',
  'contribution-agreement': 'die Vereinbarung angenommen wird',
  'ticket-confirmation': 'ein Ticket ausgestellt wird',
  'yearly-statement': 'ein Jahr mit Tickets zu Ende ist, und erneut nach einer Korrektur',
  'cancellation-confirmation':
    'das Ende bekannt wird oder sich ändert; nicht am Tag des Endes selbst, und nicht, wenn das Ende schon vor dem Beginn bekannt war',
};

const quote = (text: string) => `„${text}“`;
const statusWords = (of: readonly SubscriptionStatus[]) =>
  of.map((status) => quote(words.subscriptionStatus[status].de)).join(', ');
const causeWords = (of: readonly Cause[]) => of.map((cause) => quote(words.cause[cause].de)).join(', ');
const planWords = (of: readonly PlanType[]) => of.map((plan) => quote(words.plan[plan].de)).join(' und ');

const actionNames: Record<RequestAction, string> = {
  subscribe: 'abschließen',
  cancel: 'beenden',
  pause: 'pausieren',
  resume: 'fortsetzen',
};

const euros = moneyFormat('de-DE', 'EUR');
const formatDay = (day: Temporal.PlainDate) =>
  day.toLocaleString('de-DE', { day: '2-digit', month: '2-digit', year: 'numeric' });

export function germanLifeCycleDocument(): string {
  const { listCents, taxPercent, discountPercent, discountSharePercent } = examplePrice;
  const transitionRows = listTransitions({
    statuses: statusWords,
    running: '*läuft*',
    causes: causeWords,
    changes: translateChange,
  });
  return `<!-- Generated from src/domain by \`npm run generate\`. Change the rules there. -->

# Der Verlauf eines Abos

So kommen die Termine eines Abos zustande. Alle Tage gelten in der Zeitzone des Unternehmens. Jede Änderung wird mit Ursache und Regel
festgehalten. Die Namen der Felder in der API stehen in der englischen Fassung.

## Status

Der Status ergibt sich aus den Terminen und dem heutigen Tag. Was noch kommt, steht als „Nächste Änderung“ daneben.

- Begonnen am: der Tag, an dem das Abo begann.
- Pause ab: der erste Tag der laufenden oder letzten Pause.
- Ohne Abo ab: der Tag, an dem das Abo endete.
- Reaktiviert am: der Tag, an dem es nach einer Pause oder einem Ende zuletzt wieder Tickets gab.
- Nach einem Ende zeigt ein neues Abo bis zu seinem Beginn noch Beginn und Ende des beendeten.

${table(
  ['Status', 'Bedeutung', 'Nächste Änderung'],
  subscriptionStatuses.map((status) => [
    words.subscriptionStatus[status].de,
    statuses[status].means,
    statuses[status].upcoming,
  ]),
)}

## Stichtag

Wird eine Pause oder ein Ende bis zum Stichtag bekannt, wirkt es bei einem laufenden Abo zum Ersten des nächsten Monats, sonst einen Monat später. Mit
dem üblichen Stichtag am 10.:

${table(
  ['bekannt am', 'wirkt frühestens am'],
  cutOffs.map((days) => days.map(formatDay)),
)}

Für Beginn und Fortsetzung gibt es keinen Stichtag: frühestens der Erste des nächsten Monats. Das Ende eines geplanten oder pausierten Abos wirkt sofort,
außer vorher werden noch Tickets ausgestellt, es war schon vor der Pause geplant, oder ein späterer Monat war gewünscht.

## Ursachen

${table(
  ['Ursache', 'was geschah'],
  causes.map((cause) => [words.cause[cause].de, causeMeanings[cause]]),
)}

Ursachen für ein Ende sind ${causeWords(causes.filter(isEnd))}; der früheste Termin gilt. Die Person und das Unternehmen
(Benutzer, API-Schlüssel und Betreiber) können das Abo ${requestActions.map((action) => actionNames[action]).join(', ')}; [wer entscheidet](who-decides.md) sagt, wessen Wort gilt. Eine Vereinbarung brauchen die Kostenmodelle ${planWords(planTypes.filter(needsContract))}.

Steht in der Personalliste, dass eine Person ein Abo möchte, beginnt nur ein Abo, das niemand beendet hat. Was die Person oder das Unternehmen gewünscht
hat, nimmt die Personalliste nie zurück: weder ein Ende noch eine Pause. Eine leere Angabe ändert nichts.

## Alle Änderungen

*Läuft* heißt ${statusWords(running)}. Bleibt der Status gleich, ändert sich ein Termin. *Beginn*, *Pause*, *Fortsetzung* und *Ende* sind geplante
Termine.

${table(['Ursache', 'Status', 'Termine'], transitionRows)}

## Regeln

${table(
  ['Betrifft', 'Regel'],
  ruleIds.map((id) => [ruleSubject(id), rules[id]]),
)}

## Tickets

Am Ersten eines Monats bekommt jedes Abo mit dem Status ${statusWords(running)} ein Ticket für diesen Monat, auch wenn der
Tageslauf spät kommt oder wiederholt wird. Spätere Änderungen wirken nur auf spätere Monate. „Nächstes Ticket“ ist der Erste des Monats, für den das nächste
Ticket erwartet wird. Es bleibt leer, wenn keines erwartet wird, solange die Vereinbarung offen ist und solange eine Abwesenheit ohne Ende den Beginn umfasst.

## Was berechnet wird

Jeder Monat wird am Ersten abgerechnet, gleich nachdem seine Tickets ausgestellt sind. Ein Ticket kostet den Preis, der am Ersten seines Monats gilt, für das
Kostenmodell dieses Tages. Posten werden nie geändert: Eine Korrektur ist ein neuer Posten in dem Monat, in dem sie erfolgt, und nennt den korrigierten Posten
und den Grund.

${table(
  ['Posten', 'was berechnet wird'],
  chargeTypes.map((type) => [words.charge[type].de, charges[type]]),
)}

Ticketpreise sind brutto, Gebühren netto. Die Steuer wird je Posten einmal kaufmännisch auf den Cent gerundet. Eine Gebühr von 0 ergibt keinen Posten. Tickets
sind ermäßigt, wenn das Unternehmen genug vom Listenpreis trägt. Ein Beispiel mit einem Listenpreis von ${euros(listCents)}, ${taxPercent} % Steuer,
${discountPercent} % Rabatt, wenn das Unternehmen ${discountSharePercent} % oder mehr trägt, und einem Eigenanteil von ${euros(exampleContributionCents)}:

${table(
  ['Kostenmodell', 'wer zahlt', 'netto', 'Steuer', 'brutto', 'Unternehmen', 'Person'],
  planTypes.map((type) => [words.plan[type].de, payers[type], ...listAmounts(type, euros)]),
)}

## Dokumente

${table(
  ['Dokument', 'entsteht, wenn'],
  documentKinds.map((kind) => [kinds[kind].de, documents[kind]]),
)}
`;
}
