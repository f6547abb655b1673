import { readdirSync, readFileSync } from 'node:fs'
import Negotiator from 'negotiator'

/**
 * The texts of calendars and of pages opened by link in one language, with placeholders. `tag` is the language for browsers and
 * Intl, with its script if that is not the usual one.
 */
export type PageMessages = Readonly<Record<(typeof KEYS)[number], string>>

/** The keys that every file must have. */
export const KEYS = [
  'tag',
  'direction',
  'busy',
  'lessons',
  'lessons_of',
  'coming',
  'none',
  'more',
  'first',
  'cancelled',
  'missed',
  'cancelled_student',
  'cancelled_school',
  'no_show',
  'fee',
  'no_fee',
  'with',
  'progress',
  'units',
  'done_of',
  'opening',
  'planned',
  'block_open',
  'off_plan',
  'ready',
  'calendar',
  'subscribe',
  'download',
  'school',
  'terms',
  'terms_less',
  'terms_after',
  'terms_no_show',
  'terms_working',
  'terms_free',
  'private',
  'languages',
  'gone',
  'gone_why',
  'later',
  'later_why',
  'offer',
  'offer_why',
  'offer_until',
  'offer_accept',
  'offer_booked',
  'offer_booked_why',
  'offer_gone',
  'offer_gone_why',
  'offer_busy',
  'offer_full',
  'confirm',
  'confirmed',
  'move',
  'move_show',
  'move_why',
  'move_free',
  'move_wished',
  'move_others',
  'move_more',
  'move_take',
  'move_none',
  'move_late',
  'book',
  'book_type',
  'book_why',
  'book_none',
  'book_full',
  'cancel',
  'cancel_free',
  'cancel_fee',
  'cancel_ill',
  'cancel_final',
  'prove',
  'prove_birth_date',
  'prove_mail',
  'prove_send',
  'prove_code',
  'prove_go',
  'prove_wrong',
  'prove_wait',
  'prove_locked',
  'prove_missing',
  'changed',
  'begun',
  'back',
  'wish',
  'wish_why',
  'wish_days',
  'wish_any',
  'wish_from',
  'wish_to',
  'wish_minutes',
  'wish_length',
  'wish_add',
  'wish_own',
  'wish_withdraw',
  'wish_wrong',
  'wish_full',
  'week',
  'week_why',
  'week_this',
  'week_next',
  'week_lessons',
  'week_wishes',
  'week_none',
  'week_times',
  'week_answer',
  'week_open',
  'week_count',
  'week_impossible',
  'sign',
  'sign_why',
  'sign_name',
  'sign_none',
  'sign_record',
  'push',
  'push_why',
  'push_on',
  'push_end',
  'push_missing',
  'push_denied',
  'push_failed',
  'papers',
  'next_step',
  'step_papers',
  'step_application',
  'step_approval',
  'step_theory',
  'step_drives',
  'step_done',
  'tick_done',
  'tick_missing',
  'tick_until',
  'tick_expired',
  'tick_contract',
  'tick_guardian_consent',
  'tick_application',
  'tick_approval',
  'tick_identity',
  'tick_photo',
  'tick_sight_test',
  'tick_first_aid',
  'tick_medical',
  'tick_eye_test',
  'tick_police_certificate',
  'tick_theory_test',
  'tick_practical_test',
  'tick_licence',
  'unsubscribe',
  'unsubscribe_why',
  'unsubscribe_do',
  'unsubscribe_done',
  'enquiry',
  'enquiry_first_name',
  'enquiry_last_name',
  'enquiry_contact',
  'enquiry_phone',
  'enquiry_email',
  'enquiry_class',
  'enquiry_message',
  'enquiry_consent',
  'enquiry_send',
  'enquiry_sent',
  'enquiry_sent_why',
  'enquiry_wrong',
  'enquiry_full',
] as const

const folder = new URL('../../../packs/messages/', import.meta.url)
const files = readdirSync(folder)
const english = readText('en')

/** The texts by language. The files ship with the code, and a test reads each of them. */
const texts: Readonly<Record<string, PageMessages>> = Object.fromEntries(
  files.map((file) => file.replace('.json', '')).map((language) => [language, readText(language)]),
)

export const FILED_LANGUAGES: readonly string[] = Object.keys(texts)

/** Returns the texts in a locale's language, or in English. */
export function messagesFor(locale: string): PageMessages {
  return texts[new Intl.Locale(locale).language] ?? english
}

type LanguageChoice = {
  readonly lang: string | undefined
  /** The language that is stored for the reader, if any. */
  readonly own?: string | null
  readonly accepted: string | undefined
}

/** Returns the requested language if available, or else the reader's, or the first available one that the browser accepts, or `otherwise`. */
export function languageFor(
  { lang, own, accepted }: LanguageChoice,
  available: readonly string[],
  otherwise: string,
): string {
  const chosen = [lang, own].find((one) => one != null && available.includes(one))
  if (chosen != null) return chosen
  if (accepted === undefined) return otherwise
  const negotiator = new Negotiator({ headers: { 'accept-language': accepted } })
  const named = negotiator.languages().filter((one) => one !== '*')
  const fitting = named.map((one) => one.toLowerCase().split('-')[0] ?? '')
  return fitting.find((one) => available.includes(one)) ?? otherwise
}

export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

function readText(language: string): PageMessages {
  return JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'))
}
