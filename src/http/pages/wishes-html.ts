import { html } from 'ghtml'
import { filled } from '../../booking/packs/page-messages.ts'
import type { Wish } from '../../contract/wish.ts'
import { dayName, listText, type PageLanguage, pageLanguageFor } from './page-html.ts'
import {
  form,
  formPage,
  type Hint,
  hintPart,
  type StudentPageContext,
  type VerificationStep,
  verificationPart,
} from './verification-html.ts'

export type WishesStep =
  | VerificationStep
  | { readonly kind: 'act'; readonly wishes: readonly Wish[]; readonly lengths: readonly number[] }

export type WishesView = { readonly step: WishesStep; readonly hint?: Hint | undefined }

/** Returns the page on which a student requests times. It needs no script. */
export function wishesPage({ step, hint }: WishesView, context: StudentPageContext): string {
  const pageLanguage = pageLanguageFor(context)
  const { texts } = pageLanguage
  const content = step.kind === 'act' ? wishesPart(step, pageLanguage) : verificationPart(step, pageLanguage)
  return formPage(
    texts.wish,
    html`<p>${texts.wish_why}</p>!${hintPart(hint, pageLanguage)}!${content}`,
    context,
  )
}

type Acting = Extract<WishesStep, { kind: 'act' }>

function wishesPart({ wishes, lengths }: Acting, pageLanguage: PageLanguage): string {
  const { texts } = pageLanguage
  const items = wishes.map((wish) => wishItem(wish, pageLanguage)).join('')
  const own = html`<section><h2>${texts.wish_own}</h2><ul class="lessons">!${items}</ul></section>`
  const days = [1, 2, 3, 4, 5, 6, 7].map(
    (day) =>
      html`<label><input type="checkbox" name="weekday" value="${day}"> ${dayName(day, pageLanguage.locale)}</label>`,
  )
  const options = lengths.map(
    (minutes, at) =>
      html`<option value="${minutes}" !${at === 1 ? 'selected' : ''}>${lengthText(minutes, pageLanguage)}</option>`,
  )
  const fields = html`<fieldset><legend>${texts.wish_days}</legend>!${days.join('')}</fieldset>
<label>${texts.wish_from}<input type="time" name="time_from"></label>
<label>${texts.wish_to}<input type="time" name="time_to"></label>
<label>${texts.wish_minutes}<select name="minutes">!${options.join('')}</select></label>
<button>${texts.wish_add}</button>`
  return `${form('wish', fields, pageLanguage)}${wishes.length > 0 ? own : ''}`
}

function wishItem(
  { id, version, weekdays, time_from, time_to, minutes }: Wish,
  pageLanguage: PageLanguage,
): string {
  const { texts, locale } = pageLanguage
  const names = weekdays?.map((day) => dayName(day, pageLanguage.locale)) ?? []
  const days = listText(names, locale)
  const times = `${time_from ?? '00:00'}–${time_to ?? '24:00'}`
  const hidden = html`<input type="hidden" name="wish" value="${id}"><input type="hidden" name="version" value="${version}">`
  return html`<li><p><strong>${days || texts.wish_any}</strong> !${time_from || time_to ? html`<bdi dir="ltr">${times}</bdi>` : ''}</p>
<p>${lengthText(minutes, pageLanguage)}</p>
!${form('withdraw', html`!${hidden}<button class="second">${texts.wish_withdraw}</button>`, pageLanguage)}</li>`
}

function lengthText(minutes: number, { texts }: PageLanguage): string {
  return filled(texts.wish_length, { minutes })
}
