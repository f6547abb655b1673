import { html } from 'ghtml'
import type { PageMessages } from '../../booking/packs/page-messages.ts'
import type { AcceptedOffer } from '../../contract/offer.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import {
  lessonLines,
  type PageContext,
  type PageLanguage,
  pageLanguageFor,
  schoolPage,
  untilLine,
} from './page-html.ts'
import {
  form,
  formPage,
  type Hint,
  hintPart,
  type StudentPageContext,
  type VerificationStep,
  verificationPart,
} from './verification-html.ts'

export type OfferView =
  | { readonly kind: 'open'; readonly lesson: AcceptedOffer; readonly until: LocalDateTime }
  | { readonly kind: 'booked'; readonly lesson: AcceptedOffer }
  | { readonly kind: 'busy' | 'full' | 'gone' }

/** The content of an offer below a student's page: the offer, and the step before its acceptance. */
export type OwnOfferView = {
  readonly offer: OfferView
  /** The verification to pass first; undefined once it is passed. */
  readonly step: VerificationStep | undefined
  readonly hint?: Hint | undefined
}

/** Returns the page of an offer. It needs no script. */
export function offerPage(view: OfferView, context: PageContext): string {
  const pageLanguage = pageLanguageFor(context)
  const [title, why] = textsOf(view.kind, pageLanguage.texts)
  const lesson = 'lesson' in view ? lessonPart(view.lesson, pageLanguage) : ''
  const end = view.kind === 'open' ? formPart(view.until, pageLanguage) : ''
  return schoolPage({ title, main: html`<p>${why}</p>!${lesson}!${end}` }, context)
}

/** Returns the page of an offer below its student's page. It needs no script. */
export function ownOfferPage({ offer, step, hint }: OwnOfferView, context: StudentPageContext): string {
  const pageLanguage = pageLanguageFor(context)
  const { texts } = pageLanguage
  const [title, why] = textsOf(offer.kind, texts)
  const lesson = 'lesson' in offer ? lessonPart(offer.lesson, pageLanguage) : ''
  const accept = form('accept', html`<button>${texts.offer_accept}</button>`, pageLanguage)
  const action = step ? verificationPart(step, pageLanguage) : accept
  const end = offer.kind === 'open' ? `${untilLine(offer.until, pageLanguage)}${action}` : ''
  return formPage(title, html`<p>${why}</p>!${lesson}!${hintPart(hint, pageLanguage)}!${end}`, context)
}

function textsOf(kind: OfferView['kind'], texts: PageMessages): readonly [string, string] {
  if (kind === 'open') return [texts.offer, texts.offer_why]
  if (kind === 'booked') return [texts.offer_booked, texts.offer_booked_why]
  if (kind === 'busy') return [texts.offer, texts.offer_busy]
  return kind === 'full' ? [texts.offer, texts.offer_full] : [texts.offer_gone, texts.offer_gone_why]
}

function lessonPart(lesson: AcceptedOffer, pageLanguage: PageLanguage): string {
  return html`<ol class="lessons"><li>
!${lessonLines(lesson, pageLanguage)}</li></ol>`
}

function formPart(until: LocalDateTime, pageLanguage: PageLanguage): string {
  const { texts, language } = pageLanguage
  return html`<form method="post" action="?lang=${language}"><button>${texts.offer_accept}</button></form>
!${untilLine(until, pageLanguage)}`
}
