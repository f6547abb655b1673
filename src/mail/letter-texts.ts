import { readdirSync, readFileSync } from 'node:fs'
import type { MailText } from '../contract/mail.ts'
import type { ActionKind, MessageKind } from '../domain/messages.ts'
import { isRightToLeft, pageLanguageOf } from '../domain/page-languages.ts'

export type CountedText = string | readonly [one: string, several: string]

export type StaffKind = 'day_plan' | ActionKind
type StudentKind = Exclude<MessageKind, StaffKind>

/** Texts in place of a kind's: of `booked` if lessons take place after all, of `moved` if no lesson begins at another time. */
export type Variant = 'back' | 'changed'

type AccountTemplate = Exclude<MailText['template'], 'student_code'>

export type AccountTexts = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly label?: string
  readonly notes: readonly string[]
}

type KindTexts<Kind extends string> = {
  readonly subjects: Readonly<Record<Kind, CountedText>>
  readonly openings: Readonly<Record<Kind, CountedText>>
}

/** The texts of mails to students in a language; in the languages of schools, also those to users and instructors. */
export type LetterTexts = {
  readonly greeting: string
  readonly footer: string
  readonly questions: string
  /** `{now}` and `{was}` are times, instructors or places. */
  readonly moved: string
  readonly place: string
  readonly no_place: string
  readonly cancelled_student: string
  readonly cancelled_school: string
  readonly fee: string
  readonly no_fee: string
  readonly subjects: KindTexts<StudentKind | Variant>['subjects']
  readonly openings: KindTexts<Exclude<StudentKind | Variant, 'changed'>>['openings']
  readonly labels: Readonly<Partial<Record<MessageKind, string>>>
  readonly code: AccountTexts
  readonly staff?: StaffTexts
}

export type StaffTexts = KindTexts<StaffKind> & Readonly<Record<AccountTemplate, AccountTexts>>

const folder = new URL('../../packs/letters/', import.meta.url)

/** The texts by language. The files ship with the code, and a test reads each of them. */
const texts: ReadonlyMap<string, LetterTexts> = new Map(
  readdirSync(folder).map((file) => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
  ]),
)

export const LETTER_LANGUAGES: readonly string[] = [...texts.keys()]

export function letterTexts(language: string): LetterTexts {
  const found = texts.get(language)
  if (!found) throw new Error(`there are no letters in ${language}`)
  return found
}

/** Returns the texts of mails to users and instructors in the school's language, or in English. */
export function staffLetters(locale: string): {
  readonly language: string
  readonly texts: LetterTexts & { readonly staff: StaffTexts }
} {
  const own = pageLanguageOf(locale)
  const language = letterTexts(own).staff ? own : 'en'
  const { staff, ...common } = letterTexts(language)
  if (!staff) throw new Error(`there are no letters to users in ${language}`)
  return { language, texts: { ...common, staff } }
}

const [ISOLATE, POP, RIGHT_TO_LEFT] = ['\u2068', '\u2069', '\u200f']

/** Returns a text with its placeholders filled in, in a script from right to left each apart from the words around it. */
export function filledIn(text: string, values: Readonly<Record<string, string>>, language: string): string {
  const filled = text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? whole
    return isRightToLeft(language) ? isolated(value) : value
  })
  return isRightToLeft(language) ? RIGHT_TO_LEFT + filled.replaceAll(RIGHT_TO_LEFT, '') : filled
}

export function inRow(parts: readonly string[], language: string): string {
  if (!isRightToLeft(language)) return parts.join(' · ')
  return RIGHT_TO_LEFT + parts.map((part) => isolated(part.replaceAll(RIGHT_TO_LEFT, ''))).join(' · ')
}

export function leftToRight(text: string, language: string): string {
  return isRightToLeft(language) ? `\u2066${text}${POP}` : text
}

function isolated(text: string): string {
  return `${ISOLATE}${text}${POP}`
}
