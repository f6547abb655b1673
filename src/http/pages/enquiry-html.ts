import { html } from 'ghtml'
import { filled } from '../../booking/packs/page-messages.ts'
import { EMAIL_LENGTH, ENQUIRY_LENGTH, NAME_LENGTH, PHONE_LENGTH } from '../../domain/ranges.ts'
import { dayName, type PageContext, type PageLanguage, pageLanguageFor, schoolPage } from './page-html.ts'

/** The texts that a visitor has entered, to be shown again beside a hint. */
export type EnteredEnquiry = {
  readonly value: (name: string) => string
  readonly has: (name: string, value: string) => boolean
}

export type EnquiryView = {
  readonly classes: readonly string[]
  readonly languages: readonly string[]
  /** The id of the form, by which it is stored once however often it is sent. */
  readonly form_id: string
  readonly entered: EnteredEnquiry
  readonly hint?: 'enquiry_wrong' | 'enquiry_full' | undefined
}

/** Returns the page with a school's form for enquiries. It needs no script. */
export function enquiryPage(view: EnquiryView, context: PageContext): string {
  const pageLanguage = pageLanguageFor(context)
  const { texts } = pageLanguage
  const { text } = context.tenant.enquiries
  const hint = view.hint ? html`<p class="hint" role="alert">${texts[view.hint]}</p>` : ''
  const about = text ? html`<p class="terms">${text}</p>` : ''
  return schoolPage(
    {
      title: texts.enquiry,
      main: html`!${about}!${hint}!${formOf(view, context, pageLanguage)}`,
      languages: view.languages,
    },
    context,
  )
}

/** Returns the page that thanks for an enquiry. */
export function enquirySentPage(context: PageContext): string {
  const { texts } = pageLanguageFor(context)
  const thanks = filled(texts.enquiry_sent_why, { school: context.tenant.name })
  return schoolPage({ title: texts.enquiry_sent, main: html`<p role="status">${thanks}</p>` }, context)
}

function formOf(view: EnquiryView, { tenant }: PageContext, pageLanguage: PageLanguage): string {
  const { texts, language } = pageLanguage
  const { entered, form_id } = view
  const fields = [
    inputOf(texts.enquiry_first_name, 'first_name', 'given-name', NAME_LENGTH.max, entered),
    inputOf(texts.enquiry_last_name, 'last_name', 'family-name', NAME_LENGTH.max, entered),
    html`<p class="small">${texts.enquiry_contact}</p>`,
    html`<label>${texts.enquiry_phone}<input type="tel" name="phone" autocomplete="tel" maxlength="${PHONE_LENGTH.max}" value="${entered.value('phone')}"></label>`,
    html`<label>${texts.enquiry_email}<input type="email" name="email" autocomplete="email" maxlength="${EMAIL_LENGTH.max}" value="${entered.value('email')}"></label>`,
    classPart(view, pageLanguage),
    timesPart(view, pageLanguage),
    html`<label>${texts.enquiry_message}<textarea name="message" rows="4" maxlength="${ENQUIRY_LENGTH.max}">${entered.value('message')}</textarea></label>`,
    html`<label><input type="checkbox" name="consent" value="yes" required !${checked(entered.has('consent', 'yes'))}> ${filled(texts.enquiry_consent, { school: tenant.name })}</label>`,
    html`<button>${texts.enquiry_send}</button>`,
  ]
  // A field that no person sees, for programs that fill in every field.
  const trap = html`<div class="trap" aria-hidden="true"><input name="website" tabindex="-1" autocomplete="off"></div>`
  return html`<form method="post" action="?lang=${language}"><input type="hidden" name="form_id" value="${form_id}">!${trap}!${fields.join('\n')}</form>`
}

function inputOf(label: string, name: string, kind: string, max: number, { value }: EnteredEnquiry): string {
  return html`<label>${label}<input name="${name}" autocomplete="${kind}" required maxlength="${max}" value="${value(name)}"></label>`
}

function classPart({ classes, entered }: EnquiryView, { texts }: PageLanguage): string {
  const options = classes.map(
    (one) => html`<option !${entered.has('license_class', one) ? 'selected' : ''}>${one}</option>`,
  )
  return html`<label>${texts.enquiry_class}<select name="license_class">!${options.join('')}</select></label>`
}

function timesPart({ entered }: EnquiryView, { texts, locale }: PageLanguage): string {
  const days = [1, 2, 3, 4, 5, 6, 7].map(
    (day) =>
      html`<label><input type="checkbox" name="weekday" value="${day}" !${checked(entered.has('weekday', String(day)))}> ${dayName(day, locale)}</label>`,
  )
  return html`<fieldset><legend>${texts.wish_days}</legend>!${days.join('')}</fieldset>
<label>${texts.wish_from}<input type="time" name="time_from" value="${entered.value('time_from')}"></label>
<label>${texts.wish_to}<input type="time" name="time_to" value="${entered.value('time_to')}"></label>`
}

function checked(is: boolean): string {
  return is ? 'checked' : ''
}
