import { html } from 'ghtml'
import type { AcceptedOffer } from '../../contract/offer.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { dateOf, type LocalDateTime, timeOf } from '../../domain/local-time.ts'
import { filled, messagesFor, type Words } from '../responses/messages.ts'
import { callLink, dayText, document } from './student-html.ts'

export type OfferView =
  | { readonly kind: 'open'; readonly lesson: AcceptedOffer; readonly until: LocalDateTime }
  | { readonly kind: 'booked'; readonly lesson: AcceptedOffer }
  | { readonly kind: 'busy' | 'full' | 'gone' }

type Seen = { readonly tenant: Tenant; readonly language: string }

/** Returns the page of an offer, which needs no script. */
export function offerPage(view: OfferView, { tenant, language }: Seen): string {
  const words = messagesFor(language)
  const locale = `${words.tag}-${tenant.country}-u-nu-latn`
  const [title, why] = textsOf(view.kind, words)
  const lesson = 'lesson' in view ? lessonPart(view.lesson, words, locale) : ''
  const form = view.kind === 'open' ? formPart(view.until, words, { locale, language }) : ''
  return document(
    language,
    title,
    html`<header><p>${tenant.name}</p><h1>${title}</h1></header>
<main><p>${why}</p>!${lesson}!${form}</main>!${footer(tenant)}`,
  )
}

function textsOf(kind: OfferView['kind'], words: Words): readonly [string, string] {
  if (kind === 'open') return [words.offer, words.offer_why]
  if (kind === 'booked') return [words.offer_booked, words.offer_booked_why]
  if (kind === 'busy') return [words.offer, words.offer_busy]
  return kind === 'full' ? [words.offer, words.offer_full] : [words.offer_gone, words.offer_gone_why]
}

function lessonPart(
  { start_at, end_at, lesson_type, instructor, pickup_place }: AcceptedOffer,
  words: Words,
  locale: string,
): string {
  const times = `${timeOf(start_at)}–${timeOf(end_at)}`
  const place = pickup_place ? html`<p dir="auto">${pickup_place}</p>` : ''
  return html`<ol class="lessons"><li>
<time datetime="${start_at.replace(' ', 'T')}"><span>${dayText(dateOf(start_at), locale)}</span> <bdi dir="ltr">${times}</bdi></time>
<p>${lesson_type}</p><p>${filled(words.with, { name: instructor })}</p>!${place}</li></ol>`
}

function formPart(
  until: LocalDateTime,
  words: Words,
  { locale, language }: { readonly locale: string; readonly language: string },
): string {
  const time = `${dayText(dateOf(until), locale)}, ${timeOf(until)}`
  return html`<form method="post" action="?lang=${language}"><button>${words.offer_accept}</button></form>
<p class="small">${filled(words.offer_until, { time })}</p>`
}

function footer(tenant: Tenant): string {
  return html`<footer><p>${tenant.name}!${callLink(tenant)}</p></footer>`
}
