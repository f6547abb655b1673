import { html } from 'ghtml'
import type { Wish } from '../../contract/wish.ts'
import { filled } from '../responses/messages.ts'
import {
  form,
  formPage,
  type Hint,
  hintPart,
  type PageContext,
  type PageLanguage,
  type ProofStep,
  pageLanguageFor,
  proofPart,
} from './proof-html.ts'

export type WishesStep =
  | ProofStep
  | { readonly kind: 'act'; readonly wishes: readonly Wish[]; readonly lengths: readonly number[] }

export type WishesView = { readonly step: WishesStep; readonly hint?: Hint | undefined }

/** Returns the page on which a student asks for times, which needs no script. */
export function wishesPage({ step, hint }: WishesView, seen: PageContext): string {
  const speech = pageLanguageFor(seen)
  const { words } = speech
  const content = step.kind === 'act' ? wishesPart(step, speech) : proofPart(step, speech)
  return formPage(words.wish, html`<p>${words.wish_why}</p>!${hintPart(hint, speech)}!${content}`, seen)
}

type Acting = Extract<WishesStep, { kind: 'act' }>

function wishesPart({ wishes, lengths }: Acting, speech: PageLanguage): string {
  const { words } = speech
  const items = wishes.map((wish) => wishItem(wish, speech)).join('')
  const own = html`<section><h2>${words.wish_own}</h2><ul class="lessons">!${items}</ul></section>`
  const days = [1, 2, 3, 4, 5, 6, 7].map(
    (day) =>
      html`<label><input type="checkbox" name="weekday" value="${day}"> ${dayName(day, speech)}</label>`,
  )
  const options = lengths.map(
    (minutes, at) =>
      html`<option value="${minutes}" !${at === 1 ? 'selected' : ''}>${lengthText(minutes, speech)}</option>`,
  )
  const fields = html`<fieldset><legend>${words.wish_days}</legend>!${days.join('')}</fieldset>
<label>${words.wish_from}<input type="time" name="time_from"></label>
<label>${words.wish_to}<input type="time" name="time_to"></label>
<label>${words.wish_minutes}<select name="minutes">!${options.join('')}</select></label>
<button>${words.wish_add}</button>`
  return `${form('wish', fields, speech)}${wishes.length > 0 ? own : ''}`
}

function wishItem(
  { id, version, weekdays, time_from, time_to, minutes }: Wish,
  speech: PageLanguage,
): string {
  const { words, locale } = speech
  const names = weekdays?.map((day) => dayName(day, speech)) ?? []
  const days = new Intl.ListFormat(locale, { type: 'conjunction' }).format(names)
  const times = `${time_from ?? '00:00'}–${time_to ?? '24:00'}`
  const hidden = html`<input type="hidden" name="wish" value="${id}"><input type="hidden" name="version" value="${version}">`
  return html`<li><p><strong>${days || words.wish_any}</strong> !${time_from || time_to ? html`<bdi dir="ltr">${times}</bdi>` : ''}</p>
<p>${lengthText(minutes, speech)}</p>
!${form('withdraw', html`!${hidden}<button class="second">${words.wish_withdraw}</button>`, speech)}</li>`
}

/** Returns the name of a day; 1 is Monday. */
function dayName(day: number, { locale }: PageLanguage): string {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  return format.format(new Date(Date.UTC(2024, 0, day)))
}

function lengthText(minutes: number, { words }: PageLanguage): string {
  return filled(words.wish_length, { minutes })
}
