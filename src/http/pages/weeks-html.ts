import { html } from 'ghtml'
import { filled } from '../../booking/packs/page-messages.ts'
import type { Availability } from '../../contract/availability.ts'
import type { AvailableTime } from '../../domain/available-times.ts'
import { daysLater, type LocalDate } from '../../domain/local-time.ts'
import { LESSONS_A_WEEK } from '../../domain/ranges.ts'
import { type PageLanguage, pageLanguageFor } from './page-html.ts'
import {
  form,
  formPage,
  type Hint,
  hintPart,
  type StudentPageContext,
  type VerificationStep,
  verificationPart,
} from './verification-html.ts'

/** A week of which a student may say when they can come. */
export type AskedWeek = {
  readonly week_start: LocalDate
  readonly name: 'week_this' | 'week_next'
  /** The days that are not over. */
  readonly days: readonly LocalDate[]
  /** Whether the student has wishes for any of these days. */
  readonly isWished: boolean
  readonly answer: Availability | undefined
  /** The number of lessons without an answer. */
  readonly usual: number
}

export type WeeksStep =
  | VerificationStep
  | { readonly kind: 'act'; readonly weeks: readonly AskedWeek[]; readonly lengths: readonly number[] }

export type WeeksView = { readonly step: WeeksStep; readonly hint?: Hint | undefined }

/** Returns the page on which a student says when they can come in this and the next week. It needs no script. */
export function weeksPage({ step, hint }: WeeksView, context: StudentPageContext): string {
  const pageLanguage = pageLanguageFor(context)
  const { texts } = pageLanguage
  const content =
    step.kind === 'act'
      ? step.weeks.map((week) => weekPart(week, step.lengths, pageLanguage)).join('')
      : verificationPart(step, pageLanguage)
  return formPage(
    texts.week,
    html`<p>${texts.week_why}</p>!${hintPart(hint, pageLanguage)}!${content}`,
    context,
  )
}

function weekPart(week: AskedWeek, lengths: readonly number[], pageLanguage: PageLanguage): string {
  const { texts } = pageLanguage
  const { week_start, name, isWished, answer } = week
  const asWished = html`<button name="answer" value="wishes">${texts.week_wishes}</button>`
  const quick = html`!${lessonsField(week, pageLanguage)}!${isWished ? asWished : ''}
<button name="answer" value="none" class="second" formnovalidate>${texts.week_none}</button>`
  const span = spanText(week_start, pageLanguage)
  return html`<section><h2>${texts[name]}: ${span}</h2>!${answerPart(answer, pageLanguage)}
!${weekForm('week', week, quick, pageLanguage)}
<details !${isWished || answer ? '' : 'open'}><summary>${texts.week_times}</summary>
!${weekForm('times', week, timesFields(week, lengths, pageLanguage), pageLanguage)}</details></section>`
}

function weekForm(
  act: string,
  { week_start }: Pick<AskedWeek, 'week_start'>,
  fields: string,
  language: PageLanguage,
) {
  return form(act, html`<input type="hidden" name="week" value="${week_start}">!${fields}`, language)
}

function answerPart(answer: Availability | undefined, pageLanguage: PageLanguage): string {
  const { texts } = pageLanguage
  if (!answer) return html`<p>${texts.week_open}</p>`
  const { lessons, windows } = answer
  const state = [texts.week_answer, lessons === 0 ? texts.week_none : countText(lessons, pageLanguage)]
  if (windows === null && lessons > 0) state.push(texts.week_wishes)
  const items = lessons === 0 ? [] : timeItems(answer, pageLanguage)
  return html`<p role="status"><strong>${state.join(' · ')}</strong></p>
!${items.length > 0 ? html`<ul class="lessons">!${items.join('')}</ul>` : ''}`
}

/** Returns the times of an answer, each to take out; of the wishes only those in which no lesson is possible. */
function timeItems(answer: Availability, pageLanguage: PageLanguage): readonly string[] {
  const { windows, fits } = answer
  const { texts } = pageLanguage
  const why = html`<p class="status">${texts.week_impossible}</p>`
  if (windows === null)
    return fits
      .filter(({ possible }) => !possible)
      .map(({ date, time_from }) => {
        const from = time_from === '00:00' ? '' : time_from
        return html`<li><p><strong>${dayText(date, pageLanguage)}</strong> <bdi dir="ltr">${from}</bdi></p>!${why}</li>`
      })
  return windows.map((time, at) => {
    const taken = html`<input type="hidden" name="time" value="${timeKey(time)}"><button class="second">${texts.wish_withdraw}</button>`
    return html`<li><p><strong>${dayText(time.date, pageLanguage)}</strong> <bdi dir="ltr">${time.time_from}–${time.time_to}</bdi></p>
<p>${filled(texts.wish_length, { minutes: time.minutes })}</p>!${fits[at]?.possible ? '' : why}
!${weekForm('remove', answer, taken, pageLanguage)}</li>`
  })
}

/** Returns the text by which a form names a time of an answer. */
export function timeKey({ date, time_from, time_to, minutes }: AvailableTime): string {
  return `${date} ${time_from} ${time_to} ${minutes}`
}

function lessonsField({ answer, usual }: AskedWeek, pageLanguage: PageLanguage): string {
  const chosen = answer?.lessons || usual
  const options = Array.from({ length: LESSONS_A_WEEK.max }, (_, at) => {
    return html`<option !${at + 1 === chosen ? 'selected' : ''}>${at + 1}</option>`
  })
  return html`<label>${pageLanguage.texts.week_lessons}<select name="lessons">!${options.join('')}</select></label>`
}

function timesFields(week: AskedWeek, lengths: readonly number[], pageLanguage: PageLanguage): string {
  const { texts } = pageLanguage
  const days = week.days.map(
    (date) =>
      html`<label><input type="checkbox" name="date" value="${date}"> ${dayText(date, pageLanguage)}</label>`,
  )
  const options = lengths.map(
    (minutes, at) =>
      html`<option value="${minutes}" !${at === 1 ? 'selected' : ''}>${filled(texts.wish_length, { minutes })}</option>`,
  )
  return html`<fieldset><legend>${texts.wish_days}</legend>!${days.join('')}</fieldset>
<label>${texts.wish_from}<input type="time" name="time_from"></label>
<label>${texts.wish_to}<input type="time" name="time_to"></label>
<label>${texts.wish_minutes}<select name="minutes">!${options.join('')}</select></label>
!${lessonsField(week, pageLanguage)}<button>${texts.wish_add}</button>`
}

function countText(count: number, { texts }: PageLanguage): string {
  return filled(texts.week_count, { count })
}

const DAY = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const
const SPAN = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const

function dayText(date: LocalDate, { locale }: PageLanguage): string {
  return new Intl.DateTimeFormat(locale, DAY).format(at(date))
}

function spanText(week_start: LocalDate, { locale }: PageLanguage): string {
  return new Intl.DateTimeFormat(locale, SPAN).formatRange(at(week_start), at(daysLater(week_start, 6)))
}

function at(date: LocalDate): Date {
  return new Date(`${date}T00:00Z`)
}
