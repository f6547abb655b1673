import type { MailText } from '../contract/mail.ts'
import { localeIn, pageLanguageOf } from '../domain/page-languages.ts'
import { type AccountTexts, filledIn, letterTexts, staffLetters } from './letter-texts.ts'

export type Letter = {
  readonly language: string
  readonly subject: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  /** Each with its time in the first line. */
  readonly lessons: readonly string[]
  readonly link: { readonly label: string; readonly url: string } | undefined
  readonly notes: readonly string[]
  readonly footer: string
}

type Circumstances = {
  readonly name: string
  readonly school: string
  readonly locale: string
  readonly country: string
  readonly timezone: string
  readonly worth_until: Date
}

/** Returns a mail about a login in the school's language, and one with a code in the student's. */
export function letterFor(mail: MailText, { worth_until, timezone, ...about }: Circumstances): Letter {
  const { language, greeting, footer, own } = textsFor(mail, about)
  const format = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: timezone } as const
  const until = new Intl.DateTimeFormat(localeIn(language, about.country), format).format(worth_until)
  const { name, school } = about
  const values = { ...mail.params, name, school, until }
  const filled = (text: string) => filledIn(text, values, language)
  return {
    language,
    subject: filled(own.subject),
    greeting: filled(greeting),
    paragraphs: own.paragraphs.map(filled),
    lessons: [],
    link: 'url' in mail.params ? { label: own.label ?? '', url: mail.params.url } : undefined,
    notes: own.notes.map(filled),
    footer: filled(footer),
  }
}

type Texts = { readonly language: string; readonly greeting: string; readonly footer: string }

function textsFor(
  { template, params }: MailText,
  { locale }: Pick<Circumstances, 'locale'>,
): Texts & { readonly own: AccountTexts } {
  if (template === 'student_code') {
    const language = params.language ?? pageLanguageOf(locale)
    const texts = letterTexts(language)
    return { ...texts, language, own: texts.code }
  }
  const { language, texts } = staffLetters(locale)
  return { ...texts, language, own: texts.staff[template] }
}
