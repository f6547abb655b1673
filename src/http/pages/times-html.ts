import { html } from 'ghtml'
import type { OfferedTime, OfferedTimes } from '../../booking/students/free-times.ts'
import { type PageLanguage, timeLine } from './page-html.ts'
import { form } from './verification-html.ts'

/** The form that takes one of some times, and the form that searches for more. */
type TimeChoice = {
  readonly act: string
  /** The hidden fields of the form. */
  readonly fields: string
  /** Returns the form that searches for more, with these fields. */
  readonly search: (fields: string) => string
  readonly why: string
  readonly take: string
  /** The text if there is no time. */
  readonly none: string
  readonly value: (time: OfferedTime) => string
  /** Returns a line below a time; empty for none. */
  readonly about: (time: OfferedTime) => string
}

/** Returns the forms for choosing one of some times: those the student wishes for first. */
export function timesPart(
  { wished, others, next }: OfferedTimes,
  { act, fields, search, why, take, none, ...choice }: TimeChoice,
  pageLanguage: PageLanguage,
): string {
  const { texts } = pageLanguage
  if (wished.length + others.length === 0) return html`<p role="status">${none}</p>`
  const options = (title: string, list: readonly OfferedTime[]) =>
    list.length === 0
      ? ''
      : html`<fieldset><legend>${title}</legend>!${list.map((time) => timeOption(time, choice, pageLanguage)).join('')}</fieldset>`
  const taking = html`!${fields}<p>${why}</p>
!${options(texts.move_wished, wished)}!${options(wished.length > 0 ? texts.move_others : texts.move_free, others)}
<button>${take}</button>`
  const more = html`<input type="hidden" name="pages" value="${next ?? ''}"><button class="second">${texts.move_more}</button>`
  return form(act, taking, pageLanguage) + (next === null ? '' : search(more))
}

function timeOption(
  time: OfferedTime,
  { value, about }: Pick<TimeChoice, 'value' | 'about'>,
  { locale }: PageLanguage,
): string {
  const line = about(time)
  return html`<label class="time"><input type="radio" name="start_at" value="${value(time)}" required> <span>!${timeLine(time.start_at, time.end_at, locale)}!${line ? html`<br>${line}` : ''}</span></label>`
}
