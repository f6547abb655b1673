import { html } from 'ghtml'
import type { AcceptedOffer } from '../../contract/offer.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { filled, messagesFor, type PageMessages } from '../responses/messages.ts'
import {
  form,
  formPage,
  type Hint,
  hintPart,
  type ProofStep,
  pageLanguageFor,
  proofPart,
  type PageContext as SeenBelow,
} from './proof-html.ts'
import { callLink, document, localMomentText, timeLine } from './student-html.ts'

export type OfferView =
  | { readonly kind: 'open'; readonly lesson: AcceptedOffer; readonly until: LocalDateTime }
  | { readonly kind: 'booked'; readonly lesson: AcceptedOffer }
  | { readonly kind: 'busy' | 'full' | 'gone' }

/** The content of an offer below a student's page: the offer, and the step before its acceptance. */
export type OwnOfferView = {
  readonly offer: OfferView
  /** The proof to give first; undefined once it is given. */
  readonly step: ProofStep | undefined
  readonly hint?: Hint | undefined
}

type Seen = { readonly tenant: Tenant; readonly language: string }

/** Returns the page of an offer. It needs no script. */
export function offerPage(view: OfferView, { tenant, language }: Seen): string {
  const texts = messagesFor(language)
  const locale = `${texts.tag}-${tenant.country}-u-nu-latn`
  const [title, why] = textsOf(view.kind, texts)
  const lesson = 'lesson' in view ? lessonPart(view.lesson, texts, locale) : ''
  const form = view.kind === 'open' ? formPart(view.until, texts, { locale, language }) : ''
  return document(
    language,
    title,
    html`<header><p>${tenant.name}</p><h1>${title}</h1></header>
<main><p>${why}</p>!${lesson}!${form}</main>!${footer(tenant)}`,
  )
}

/** Returns the page of an offer below its student's page. It needs no script. */
export function ownOfferPage({ offer, step, hint }: OwnOfferView, seen: SeenBelow): string {
  const pageLanguage = pageLanguageFor(seen)
  const { texts, locale } = pageLanguage
  const [title, why] = textsOf(offer.kind, texts)
  const lesson = 'lesson' in offer ? lessonPart(offer.lesson, texts, locale) : ''
  const accept = form('accept', html`<button>${texts.offer_accept}</button>`, pageLanguage)
  const action = step ? proofPart(step, pageLanguage) : accept
  const end = offer.kind === 'open' ? `${untilPart(offer.until, texts, locale)}${action}` : ''
  return formPage(title, html`<p>${why}</p>!${lesson}!${hintPart(hint, pageLanguage)}!${end}`, seen)
}

function textsOf(kind: OfferView['kind'], texts: PageMessages): readonly [string, string] {
  if (kind === 'open') return [texts.offer, texts.offer_why]
  if (kind === 'booked') return [texts.offer_booked, texts.offer_booked_why]
  if (kind === 'busy') return [texts.offer, texts.offer_busy]
  return kind === 'full' ? [texts.offer, texts.offer_full] : [texts.offer_gone, texts.offer_gone_why]
}

function lessonPart(
  { start_at, end_at, lesson_type, instructor, pickup_place }: AcceptedOffer,
  texts: PageMessages,
  locale: string,
): string {
  const place = pickup_place ? html`<p dir="auto">${pickup_place}</p>` : ''
  return html`<ol class="lessons"><li>
!${timeLine(start_at, end_at, locale)}
<p>${lesson_type}</p><p>${filled(texts.with, { name: instructor })}</p>!${place}</li></ol>`
}

function formPart(
  until: LocalDateTime,
  texts: PageMessages,
  { locale, language }: { readonly locale: string; readonly language: string },
): string {
  return html`<form method="post" action="?lang=${language}"><button>${texts.offer_accept}</button></form>
!${untilPart(until, texts, locale)}`
}

/** Returns a line with the time until which an offer can be accepted. */
export function untilPart(until: LocalDateTime, texts: PageMessages, locale: string): string {
  return html`<p class="small">${filled(texts.offer_until, { time: localMomentText(until, locale) })}</p>`
}

function footer(tenant: Tenant): string {
  return html`<footer><p>${tenant.name}!${callLink(tenant)}</p></footer>`
}
