import { messagesFor } from '../../booking/packs/page-messages.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Appointment } from '../../contract/appointment.ts'
import type { Action, Resource } from '../../contract/change.ts'
import type { Message } from '../../contract/message.ts'
import type { CANCELLATION_REASONS, CANCELLED_BY } from '../../domain/cancellation.ts'
import type { OUTCOMES } from '../../domain/enrolments.ts'
import type { MessageChannel } from '../../domain/message-channels.ts'
import type { DropReason, MessageKind } from '../../domain/messages.ts'
import type { SIGNED_AS } from '../../domain/signatures.ts'
import { TICK_KINDS, type TickKind } from '../../domain/ticks.ts'
import type { Cooperation } from '../../domain/training-record.ts'

type Terms<Code extends string> = Readonly<Record<Code, string>>

/** The terms for the codes of stored data. */
type CodeTerms = {
  readonly status: Terms<Appointment['status']>
  readonly outcome: Terms<(typeof OUTCOMES)[number]>
  readonly cooperation: Terms<Cooperation['role']>
  readonly party: Terms<(typeof CANCELLED_BY)[number]>
  readonly because: Terms<(typeof CANCELLATION_REASONS)[number]>
  readonly signer: Terms<(typeof SIGNED_AS)[number]>
  readonly offer: Terms<'open' | 'taken' | 'withdrawn'>
  readonly message: Terms<MessageKind>
  readonly delivery: Terms<Message['state']>
  readonly dropped: Terms<DropReason>
  readonly channel: Terms<MessageChannel>
  readonly resource: Terms<
    Extract<
      Resource,
      'student' | 'enrolment' | 'tick' | 'signature' | 'wish' | 'availability' | 'appointment'
    >
  >
  readonly action: Terms<Action>
  readonly actor: Terms<Actor['kind']>
  readonly role: Terms<Exclude<Actor['role'], 'operator'>>
}

const en: CodeTerms = {
  status: { planned: 'planned', completed: 'completed', cancelled: 'cancelled', no_show: 'no-show' },
  outcome: { passed: 'passed', stopped: 'stopped', moved: 'moved to another school', changed: 'changed' },
  cooperation: { commissioning: 'commissioning school', commissioned: 'commissioned school' },
  party: { student: 'student', school: 'driving school' },
  because: { illness: 'illness', weather: 'weather', vehicle: 'vehicle', other: 'another reason' },
  signer: { school: 'driving school', student: 'student', instructor: 'instructor' },
  offer: { open: 'open', taken: 'accepted', withdrawn: 'withdrawn' },
  message: {
    booked: 'confirmation',
    moved: 'change',
    cancelled: 'cancellation',
    reminder: 'reminder',
    offer: 'offer of a free time',
    link: 'link to the own page',
    day_plan: "day's plan",
    availability: 'question when you can come',
    student_cancelled: 'cancellation by the student',
    student_moved: 'move by the student',
    student_confirmed: 'confirmation by the student',
    student_wish: 'wish of the student',
    offer_taken: 'booking by the student',
  },
  delivery: { waiting: 'waiting', sent: 'sent', failed: 'failed', dropped: 'not sent' },
  dropped: {
    switched_off: 'messages are switched off',
    no_recipient: 'no recipient',
    no_consent: 'no consent',
    no_address: 'no address',
    no_webhook: 'no service for messages',
    cancelled: 'the lesson was cancelled',
    moved: 'the lesson was moved',
    planned: 'the lesson takes place after all',
    past: 'too late',
    quiet: 'quiet hours',
    withdrawn: 'withdrawn',
    answered: 'answered already',
    not_enrolled: 'training ended',
  },
  channel: { mail: 'e-mail', webhook: 'service of the driving school', push: 'device', call: 'call' },
  resource: {
    student: 'person',
    enrolment: 'training',
    tick: 'paper or test',
    signature: 'signature',
    wish: 'wish',
    availability: 'week',
    appointment: 'appointment',
  },
  action: {
    created: 'created',
    changed: 'changed',
    deleted: 'deleted',
    restored: 'restored',
    erased: 'erased',
  },
  actor: { user: 'user', command: 'command', student: 'student', system: 'system' },
  role: { owner: 'owner', office: 'office', instructor: 'instructor' },
}

const de: CodeTerms = {
  status: {
    planned: 'geplant',
    completed: 'durchgeführt',
    cancelled: 'abgesagt',
    no_show: 'nicht erschienen',
  },
  outcome: {
    passed: 'bestanden',
    stopped: 'abgebrochen',
    moved: 'Fahrschule gewechselt',
    changed: 'Klasse geändert',
  },
  cooperation: {
    commissioning: 'Auftrag gebende Fahrschule',
    commissioned: 'Auftrag nehmende Fahrschule',
  },
  party: { student: 'Fahrschüler', school: 'Fahrschule' },
  because: { illness: 'Krankheit', weather: 'Wetter', vehicle: 'Fahrzeug', other: 'anderer Grund' },
  signer: { school: 'Fahrschule', student: 'Fahrschüler', instructor: 'Fahrlehrer' },
  offer: { open: 'offen', taken: 'angenommen', withdrawn: 'zurückgezogen' },
  message: {
    booked: 'Bestätigung',
    moved: 'Änderung',
    cancelled: 'Absage',
    reminder: 'Erinnerung',
    offer: 'Angebot einer freien Zeit',
    link: 'Link zur eigenen Seite',
    day_plan: 'Tagesplan',
    availability: 'Frage nach freien Zeiten',
    student_cancelled: 'Absage durch den Fahrschüler',
    student_moved: 'Verschiebung durch den Fahrschüler',
    student_confirmed: 'Bestätigung durch den Fahrschüler',
    student_wish: 'Wunsch des Fahrschülers',
    offer_taken: 'Buchung des Fahrschülers',
  },
  delivery: { waiting: 'wartet', sent: 'gesendet', failed: 'fehlgeschlagen', dropped: 'nicht gesendet' },
  dropped: {
    switched_off: 'Nachrichten sind ausgeschaltet',
    no_recipient: 'kein Empfänger',
    no_consent: 'keine Einwilligung',
    no_address: 'keine Adresse',
    no_webhook: 'kein Dienst für Nachrichten',
    cancelled: 'Termin abgesagt',
    moved: 'Termin verschoben',
    planned: 'Termin findet doch statt',
    past: 'zu spät',
    quiet: 'Ruhezeit',
    withdrawn: 'zurückgezogen',
    answered: 'schon beantwortet',
    not_enrolled: 'Ausbildung beendet',
  },
  channel: { mail: 'E-Mail', webhook: 'Dienst der Fahrschule', push: 'Gerät', call: 'Anruf' },
  resource: {
    student: 'Person',
    enrolment: 'Ausbildung',
    tick: 'Nachweis oder Prüfung',
    signature: 'Unterschrift',
    wish: 'Wunschzeit',
    availability: 'Woche',
    appointment: 'Termin',
  },
  action: {
    created: 'angelegt',
    changed: 'geändert',
    deleted: 'gelöscht',
    restored: 'wiederhergestellt',
    erased: 'endgültig gelöscht',
  },
  actor: { user: 'Benutzer', command: 'Befehl', student: 'Fahrschüler', system: 'System' },
  role: { owner: 'Inhaber', office: 'Büro', instructor: 'Fahrlehrer' },
}

/** The kinds of codes by field, or by the section or field around it and the field. All other texts are free. */
const KIND_OF_FIELD: Readonly<Record<string, keyof CodeTerms | 'tick'>> = {
  status: 'status',
  outcome: 'outcome',
  as: 'signer',
  message_channel: 'channel',
  channel: 'channel',
  resource: 'resource',
  action: 'action',
  'ticks.kind': 'tick',
  'before.kind': 'tick',
  'after.kind': 'tick',
  'messages.kind': 'message',
  'messages.state': 'delivery',
  'messages.reason': 'dropped',
  'offers.state': 'offer',
  'cooperation.role': 'cooperation',
  'cancellation.by': 'party',
  'cancellation.reason': 'because',
  'actor.kind': 'actor',
  'actor.role': 'role',
}

/** Returns the word for a code in a field of a section or of another field, in German or English; undefined for other texts. */
export function wordFor(
  language: string,
  { within, field, code }: { readonly within: string; readonly field: string; readonly code: string },
): string | undefined {
  const kind = KIND_OF_FIELD[`${within}.${field}`] ?? KIND_OF_FIELD[field]
  if (kind === undefined) return undefined
  if (kind === 'tick') return isTickKind(code) ? messagesFor(language)[`tick_${code}`] : undefined
  const terms: Readonly<Record<string, string>> = (language === 'de' ? de : en)[kind]
  return terms[code]
}

function isTickKind(code: string): code is TickKind {
  return TICK_KINDS.some((kind) => kind === code)
}
