import { html } from 'ghtml'
import { filled, type PageMessages } from '../../booking/packs/page-messages.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import {
  type LessonFacts,
  lessonLines,
  localMomentText,
  type PageLanguage,
  pageLanguageFor,
} from './page-html.ts'
import {
  type FormPageContext,
  form,
  formPage,
  type Hint,
  hintPart,
  type VerificationStep,
  verificationPart,
} from './verification-html.ts'

export type OfferState =
  | { readonly kind: 'open'; readonly lesson: LessonFacts; readonly until: LocalDateTime }
  | { readonly kind: 'booked'; readonly lesson: LessonFacts }
  | { readonly kind: 'gone' }

export type OfferView = {
  readonly offer: OfferState
  /** The verification before the offer can be accepted; undefined if none is needed. */
  readonly step: VerificationStep | undefined
  readonly hint: Hint | undefined
}

/** Returns the page of an offer. It needs no script. */
export function offerPage({ offer, step, hint }: OfferView, context: FormPageContext): string {
  const pageLanguage = pageLanguageFor(context)
  const { texts } = pageLanguage
  const [title, why] = textsOf(offer.kind, texts)
  const lesson =
    'lesson' in offer ? html`<ol class="lessons">!${offerItem(offer, '', pageLanguage)}</ol>` : ''
  const accept = form('accept', html`<button>${texts.offer_accept}</button>`, pageLanguage)
  const action = step ? verificationPart(step, pageLanguage) : accept
  const end = offer.kind === 'open' ? action : ''
  return formPage(title, html`<p>${why}</p>!${lesson}!${hintPart(hint, pageLanguage)}!${end}`, context)
}

type OfferFacts = { readonly lesson: LessonFacts; readonly until?: LocalDateTime }

/** Returns an offer as an item of a list: the lesson, the time until which it can be accepted, and further content. */
export function offerItem({ lesson, until }: OfferFacts, end: string, pageLanguage: PageLanguage): string {
  const { texts, locale } = pageLanguage
  const time = until && filled(texts.offer_until, { time: localMomentText(until, locale) })
  return html`<li>
!${lessonLines(lesson, pageLanguage)}!${time ? html`<p class="small">${time}</p>` : ''}!${end}</li>`
}

function textsOf(kind: OfferState['kind'], texts: PageMessages): readonly [string, string] {
  if (kind === 'open') return [texts.offer, texts.offer_why]
  return kind === 'booked'
    ? [texts.offer_booked, texts.offer_booked_why]
    : [texts.offer_gone, texts.offer_gone_why]
}
