import type { Cancellation } from '../domain/cancellation.ts'
import { isActionKind, type MessageKind } from '../domain/messages.ts'
import { isRightToLeft, localeIn } from '../domain/page-languages.ts'
import {
  type CountedText,
  filledIn,
  inRow,
  type LetterTexts,
  leftToRight,
  letterTexts,
  type StaffKind,
  type Variant,
} from './letter-texts.ts'
import type { Letter } from './letters.ts'

export type LetterLesson = {
  readonly start_at: string
  readonly end_at: string
  readonly was: string | null
  readonly type: string
  /** The instructor, or the students in the plan of an instructor. */
  readonly with: string
  readonly withBefore: string | null
  readonly place: string | null
  readonly placeBefore: string | null
  /** The party and the fee of a cancellation; null if there is none, or if the message is about something else. */
  readonly cancellation: Pick<Cancellation, 'by' | 'fee_percent'> | null
}

export type LessonLetter = {
  readonly kind: MessageKind
  /** Whether the last message about each of the lessons cancelled it. */
  readonly isBack: boolean
  readonly name: string
  readonly school: string
  readonly phone: string | null
  readonly language: string
  readonly country: string
  readonly lessons: readonly LetterLesson[]
  readonly url: string | undefined
  readonly date: string | undefined
  /** Further lines, such as wishes. */
  readonly lines: readonly string[]
  /** The first student who acted, in a message about that. */
  readonly who: string
}

type Speech = { readonly texts: LetterTexts; readonly language: string; readonly locale: string }

export function lessonLetter(letter: LessonLetter): Letter {
  const { kind, isBack, name, school, phone, language, country, lessons, url, date, lines, who } = letter
  const texts = letterTexts(language)
  const speech = { texts, language, locale: localeIn(language, country) }
  const values = {
    name,
    school,
    who,
    phone: phone ?? '',
    day: date ? dayText(date, speech) : '',
    when: lessons[0] ? timesText(lessons[0], speech) : '',
  }
  const filled = (text: string) => filledIn(text, values, language)
  const isMoved = lessons.some(({ was, start_at }) => was !== null && was !== start_at)
  const [subject, opening] = textsOf(texts, kind, isBack ? 'back' : kind === 'moved' && !isMoved && 'changed')
  const counted = (text: CountedText) =>
    typeof text === 'string' ? text : text[lessons.length + lines.length <= 1 ? 0 : 1]
  return {
    language,
    subject: filled(counted(subject)),
    greeting: filled(texts.greeting),
    paragraphs: [filled(counted(opening))],
    lessons: [...lessons.map((lesson) => linesOf(lesson, speech)), ...lines],
    link: url === undefined ? undefined : { label: texts.labels[kind] ?? '', url },
    notes: phone && !isStaffKind(kind) ? [filled(texts.questions)] : [],
    footer: filled(texts.footer),
  }
}

function isStaffKind(kind: MessageKind): kind is StaffKind {
  return kind === 'day_plan' || isActionKind(kind)
}

function textsOf(
  { subjects, openings, staff }: LetterTexts,
  kind: MessageKind,
  variant: Variant | false,
): readonly [subject: CountedText, opening: CountedText] {
  if (isStaffKind(kind)) return [staff?.subjects[kind] ?? '', staff?.openings[kind] ?? '']
  return [subjects[variant || kind], openings[variant === 'back' ? variant : kind]]
}

function linesOf(
  { was, place, placeBefore, type, with: person, withBefore, cancellation, ...times }: LetterLesson,
  speech: Speech,
): string {
  const { texts, language } = speech
  const filled = (text: string, values: Readonly<Record<string, string>>) => filledIn(text, values, language)
  const time = timesText(times, speech)
  const before = was && was !== times.start_at ? momentText(was, speech) : undefined
  const when = before === undefined ? time : filled(texts.moved, { now: time, was: before })
  const who = withBefore === null ? person : filled(texts.moved, { now: person, was: withBefore })
  const cancelled = cancellation ? cancellationTexts(cancellation, speech) : []
  const lines = [[when], [type, who], [placeText({ place, placeBefore }, speech)], cancelled]
  return lines
    .map((parts) => parts.filter((part) => part !== ''))
    .filter((parts) => parts.length > 0)
    .map((parts) => inRow(parts, language))
    .join('\n')
}

function placeText(
  { place, placeBefore }: Pick<LetterLesson, 'place' | 'placeBefore'>,
  { texts, language }: Speech,
): string {
  const now = place ? filledIn(texts.place, { place }, language) : ''
  if (placeBefore === null) return now
  return filledIn(texts.moved, { now: now || texts.no_place, was: placeBefore }, language)
}

function cancellationTexts(
  { by, fee_percent }: NonNullable<LetterLesson['cancellation']>,
  { texts, language, locale }: Speech,
) {
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(fee_percent / 100)
  const fee = fee_percent > 0 ? filledIn(texts.fee, { percent }, language) : texts.no_fee
  return [texts[`cancelled_${by}`], fee]
}

function timesText({ start_at, end_at }: Pick<LetterLesson, 'start_at' | 'end_at'>, speech: Speech): string {
  const { language } = speech
  if (start_at.slice(0, 10) !== end_at.slice(0, 10))
    return `${momentText(start_at, speech)}–${momentText(end_at, speech)}`
  const times = leftToRight(`${start_at.slice(11)}–${end_at.slice(11)}`, language)
  return `${dayText(start_at.slice(0, 10), speech)}${commaIn(language)}${times}`
}

function momentText(local: string, speech: Speech): string {
  return `${dayText(local.slice(0, 10), speech)}${commaIn(speech.language)}${local.slice(11)}`
}

function commaIn(language: string): string {
  return isRightToLeft(language) ? '، ' : ', '
}

const formats = new Map<string, Intl.DateTimeFormat>()

const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const

function dayText(date: string, { locale }: Pick<Speech, 'locale'>): string {
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, DAY)
  formats.set(locale, format)
  return format.format(new Date(`${date}T00:00Z`))
}

type WishedTimes = {
  readonly student: string
  readonly weekdays: readonly number[] | null
  readonly time_from: string | null
  readonly time_to: string | null
  readonly minutes: number
}

/** Returns a wish as a line: the student, weekdays, hours and length. */
export function wishLine(
  { student, weekdays, time_from, time_to, minutes }: WishedTimes,
  { language, country }: { readonly language: string; readonly country: string },
): string {
  const locale = localeIn(language, country)
  const days = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  // The first of January 2024 is a Monday.
  const on = (weekdays ?? []).map((day) => days.format(new Date(Date.UTC(2024, 0, day)))).join(', ')
  const hours = time_from || time_to ? `${time_from ?? '00:00'}–${time_to ?? '24:00'}` : ''
  const length = new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute' }).format(minutes)
  return inRow(
    [student, on, hours, length].filter((part) => part !== ''),
    language,
  )
}
