import type { Cancellation } from '../domain/cancellation.ts'
import type { MessageKind } from '../domain/messages.ts'
import type { Letter } from './texts.ts'

export type LetterLesson = {
  readonly start_at: string
  readonly end_at: string
  readonly was: string | null
  readonly type: string
  /** The instructor, or the students in the plan of an instructor. */
  readonly with: string
  readonly withBefore: string | null
  readonly place: string | null
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
  readonly locale: string
  readonly lessons: readonly LetterLesson[]
  readonly url: string | undefined
  readonly date: string | undefined
}

type Texts = {
  readonly greeting: string
  readonly footer: string
  readonly subjects: Readonly<Record<MessageKind, readonly [one: string, several: string]>>
  readonly openings: Readonly<Record<MessageKind, readonly [one: string, several: string]>>
  readonly labels: Readonly<Partial<Record<MessageKind, string>>>
  /** The subjects in place of `moved`, if no lesson begins at another time. */
  readonly changed: readonly [one: string, several: string]
  /** The subjects and openings in place of `booked`, if `isBack`. */
  readonly back: {
    readonly subjects: readonly [one: string, several: string]
    readonly openings: readonly [one: string, several: string]
  }
  /** `{now}` and `{was}` are times, or instructors. */
  readonly moved: string
  readonly place: string
  readonly cancelledBy: Readonly<Record<Cancellation['by'], string>>
  readonly fee: string
  readonly noFee: string
  readonly questions: string
}

export function lessonLetter(letter: LessonLetter): Letter {
  const { kind, isBack, name, school, phone, locale, lessons, url, date } = letter
  const texts = TEXTS[new Intl.Locale(locale).language === 'de' ? 'de' : 'en']
  const values = {
    name,
    school,
    phone: phone ?? '',
    day: date ? dayText(date, locale) : '',
    when: lessons[0] ? timesText(lessons[0], locale) : '',
  }
  const isMoved = lessons.some(({ was, start_at }) => was !== null && was !== start_at)
  const subjects = kind === 'moved' && !isMoved ? texts.changed : texts.subjects[kind]
  const [one, several] = isBack ? texts.back.subjects : subjects
  const [first, all] = isBack ? texts.back.openings : texts.openings[kind]
  const isOne = lessons.length <= 1
  return {
    subject: filled(isOne ? one : several, values),
    greeting: filled(texts.greeting, values),
    paragraphs: [
      filled(isOne ? first : all, values),
      ...lessons.map((lesson) => lineOf(lesson, texts, locale)),
    ],
    link: url === undefined ? undefined : { label: texts.labels[kind] ?? '', url },
    notes: phone && kind !== 'day_plan' ? [filled(texts.questions, values)] : [],
    footer: filled(texts.footer, values),
  }
}

export function letterLanguage(locale: string): 'de' | 'en' {
  return new Intl.Locale(locale).language === 'de' ? 'de' : 'en'
}

function lineOf(
  { was, place, type, with: person, withBefore, cancellation, ...times }: LetterLesson,
  texts: Texts,
  locale: string,
): string {
  const time = timesText(times, locale)
  const before = was && was !== times.start_at ? momentText(was, locale) : undefined
  const when = before === undefined ? time : filled(texts.moved, { now: time, was: before })
  const who = withBefore === null ? person : filled(texts.moved, { now: person, was: withBefore })
  const cancelled = cancellation ? cancellationTexts(cancellation, texts) : []
  const parts = [when, type, who, place ? filled(texts.place, { place }) : '', ...cancelled]
  return parts.filter((part) => part !== '').join(' · ')
}

function cancellationTexts({ by, fee_percent }: NonNullable<LetterLesson['cancellation']>, texts: Texts) {
  const fee = fee_percent > 0 ? filled(texts.fee, { percent: String(fee_percent) }) : texts.noFee
  return [texts.cancelledBy[by], fee]
}

function timesText({ start_at, end_at }: Pick<LetterLesson, 'start_at' | 'end_at'>, locale: string): string {
  const end = start_at.slice(0, 10) === end_at.slice(0, 10) ? end_at.slice(11) : momentText(end_at, locale)
  return `${momentText(start_at, locale)}–${end}`
}

function momentText(local: string, locale: string): string {
  return `${dayText(local.slice(0, 10), locale)}, ${local.slice(11)}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

function dayText(date: string, locale: string): string {
  const known = letterLanguage(locale) === 'de' ? 'de-DE' : 'en-GB'
  const format =
    formats.get(known) ??
    new Intl.DateTimeFormat(known, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    })
  formats.set(known, format)
  return format.format(new Date(`${date}T00:00Z`))
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

const de: Texts = {
  greeting: 'Guten Tag {name},',
  footer: '{school} · gesendet von Fahrplan',
  subjects: {
    booked: ['{school}: Ihr Termin am {when}', '{school}: Ihre neuen Termine'],
    moved: ['{school}: Ihr Termin wurde verlegt', '{school}: Ihre Termine wurden verlegt'],
    cancelled: ['{school}: Ihr Termin am {when} fällt aus', '{school}: Ihre Termine fallen aus'],
    reminder: ['{school}: Erinnerung an Ihren Termin am {when}', '{school}: Erinnerung an Ihre Termine'],
    offer: ['{school}: ein freier Termin für Sie', '{school}: freie Termine für Sie'],
    link: ['{school}: Ihre Termine im Internet', '{school}: Ihre Termine im Internet'],
    day_plan: ['{school}: Ihr Tagesplan für {day}', '{school}: Ihr Tagesplan für {day}'],
    availability: [
      '{school}: Wann haben Sie nächste Woche Zeit?',
      '{school}: Wann haben Sie nächste Woche Zeit?',
    ],
  },
  openings: {
    booked: ['dieser Termin ist für Sie gebucht:', 'diese Termine sind für Sie gebucht:'],
    moved: ['Ihr Termin hat sich geändert. Es gilt:', 'Ihre Termine haben sich geändert. Es gilt:'],
    cancelled: ['dieser Termin fällt aus:', 'diese Termine fallen aus:'],
    reminder: ['wir erinnern Sie an Ihren Termin:', 'wir erinnern Sie an Ihre Termine:'],
    offer: [
      'ein Termin ist frei geworden. Wer zuerst zusagt, bekommt ihn.',
      'Termine sind frei geworden. Wer zuerst zusagt, bekommt sie.',
    ],
    link: [
      'auf Ihrer eigenen Seite sehen Sie jederzeit Ihre Termine. Bitte geben Sie den Link nicht weiter.',
      'auf Ihrer eigenen Seite sehen Sie jederzeit Ihre Termine. Bitte geben Sie den Link nicht weiter.',
    ],
    day_plan: ['Ihr Tag, {day}:', 'Ihr Tag, {day}:'],
    availability: [
      'wann haben Sie in der Woche ab {day} Zeit für Fahrstunden? Bitte antworten Sie auf Ihrer Seite, es dauert nur einen Moment.',
      'wann haben Sie in der Woche ab {day} Zeit für Fahrstunden? Bitte antworten Sie auf Ihrer Seite, es dauert nur einen Moment.',
    ],
  },
  labels: { offer: 'Termin ansehen', link: 'Meine Termine', availability: 'Jetzt antworten' },
  changed: ['{school}: Ihr Termin hat sich geändert', '{school}: Ihre Termine haben sich geändert'],
  back: {
    subjects: [
      '{school}: Ihr Termin am {when} findet doch statt',
      '{school}: Ihre Termine finden doch statt',
    ],
    openings: ['dieser Termin findet nun doch statt:', 'diese Termine finden nun doch statt:'],
  },
  moved: '{now} (bisher {was})',
  place: 'Treffpunkt: {place}',
  cancelledBy: { student: 'abgesagt von Ihnen', school: 'abgesagt von der Fahrschule' },
  fee: 'Gebühr: {percent} % des Preises',
  noFee: 'ohne Gebühr',
  questions: 'Fragen? Sie erreichen uns unter {phone}.',
}

const en: Texts = {
  greeting: 'Hello {name},',
  footer: '{school} · sent by Fahrplan',
  subjects: {
    booked: ['{school}: your lesson on {when}', '{school}: your new lessons'],
    moved: ['{school}: your lesson has been moved', '{school}: your lessons have been moved'],
    cancelled: ['{school}: your lesson on {when} is cancelled', '{school}: your lessons are cancelled'],
    reminder: ['{school}: reminder of your lesson on {when}', '{school}: reminder of your lessons'],
    offer: ['{school}: a free lesson for you', '{school}: free lessons for you'],
    link: ['{school}: your lessons online', '{school}: your lessons online'],
    day_plan: ['{school}: your plan for {day}', '{school}: your plan for {day}'],
    availability: ['{school}: when can you come next week?', '{school}: when can you come next week?'],
  },
  openings: {
    booked: ['this lesson is booked for you:', 'these lessons are booked for you:'],
    moved: ['your lesson has changed. It is now:', 'your lessons have changed. They are now:'],
    cancelled: ['this lesson is cancelled:', 'these lessons are cancelled:'],
    reminder: ['this is a reminder of your lesson:', 'this is a reminder of your lessons:'],
    offer: [
      'a time has become free. The first to accept it gets the lesson.',
      'times have become free. The first to accept one gets the lesson.',
    ],
    link: [
      'your own page always shows your lessons. Please keep the link to yourself.',
      'your own page always shows your lessons. Please keep the link to yourself.',
    ],
    day_plan: ['your day, {day}:', 'your day, {day}:'],
    availability: [
      'when can you come for lessons in the week from {day}? Please answer on your page; it takes only a moment.',
      'when can you come for lessons in the week from {day}? Please answer on your page; it takes only a moment.',
    ],
  },
  labels: { offer: 'Look at the lesson', link: 'My lessons', availability: 'Answer now' },
  changed: ['{school}: your lesson has changed', '{school}: your lessons have changed'],
  back: {
    subjects: [
      '{school}: your lesson on {when} takes place after all',
      '{school}: your lessons take place after all',
    ],
    openings: ['this lesson takes place after all:', 'these lessons take place after all:'],
  },
  moved: '{now} (before: {was})',
  place: 'meet at {place}',
  cancelledBy: { student: 'cancelled by you', school: 'cancelled by the driving school' },
  fee: 'fee: {percent} % of the price',
  noFee: 'no fee',
  questions: 'Any questions? Call us: {phone}.',
}

const TEXTS = { de, en }
