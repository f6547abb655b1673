import { html } from 'ghtml'
import type { Tenant } from '../../contract/tenant.ts'
import { dateOf, type LocalDateTime, timeOf } from '../../domain/local-time.ts'
import { filled, messagesFor, type Words } from '../responses/messages.ts'
import { callLink, dayText, document } from './student-html.ts'

/** A lesson on the page on which its student confirms or cancels it. */
export type ShownLesson = {
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly lesson_type: string
  readonly instructor: string
  readonly pickup_place: string | null
  readonly isConfirmed: boolean
  readonly isCancelled: boolean
  readonly version: number
}

/** The next step: a proof, what the student may do, or nothing. `fee_percent` is that of a cancellation now. */
export type LessonStep =
  | { readonly kind: 'birth_date' | 'mail' | 'missing' | 'locked' | 'begun' | 'nothing' }
  | { readonly kind: 'code'; readonly challenge: string }
  | {
      readonly kind: 'act'
      readonly mayConfirm: boolean
      readonly mayCancel: boolean
      readonly fee_percent: number
    }

/** Why the page is shown again instead of what was asked for. */
export type LessonHint =
  | { readonly kind: 'wrong'; readonly left: number }
  | { readonly kind: 'wait' | 'changed' | 'foreign' }

export type LessonView = {
  readonly lesson: ShownLesson
  readonly step: LessonStep
  readonly hint?: LessonHint | undefined
}

type Seen = { readonly tenant: Tenant; readonly address: string; readonly language: string }
type Speech = { readonly words: Words; readonly locale: string; readonly language: string }

/** Returns the page of a lesson, which needs no script. Its forms lead to itself. */
export function lessonPage({ lesson, step, hint }: LessonView, { tenant, address, language }: Seen): string {
  const words = messagesFor(language)
  const speech = { words, language, locale: `${words.tag}-${tenant.country}-u-nu-latn` }
  const title = lesson.lesson_type
  return document(
    language,
    title,
    html`<header><p>${tenant.name}</p><h1>${title}</h1></header>
<main>!${lessonPart(lesson, speech)}!${hint ? hintPart(hint, words) : ''}!${stepPart(lesson, step, speech)}
<p><a href="${address}?lang=${language}">${words.back}</a></p></main>
<footer><p>${tenant.name}!${callLink(tenant)}</p></footer>`,
  )
}

function lessonPart(
  { start_at, end_at, instructor, pickup_place, isCancelled, isConfirmed }: ShownLesson,
  { words, locale }: Speech,
): string {
  const times = `${timeOf(start_at)}–${timeOf(end_at)}`
  const place = pickup_place ? html`<p dir="auto">${pickup_place}</p>` : ''
  const status = isCancelled ? words.cancelled : isConfirmed ? words.confirmed : ''
  return html`<ol class="lessons"><li !${isCancelled ? 'class="cancelled"' : ''}>
<time datetime="${start_at.replace(' ', 'T')}"><span>${dayText(dateOf(start_at), locale)}</span> <bdi dir="ltr">${times}</bdi></time>
<p>${filled(words.with, { name: instructor })}</p>!${place}
!${status ? html`<p class="status" role="status">${status}</p>` : ''}</li></ol>`
}

function hintPart(hint: LessonHint, words: Words): string {
  const text =
    hint.kind === 'wrong' ? filled(words.prove_wrong, { left: hint.left }) : words[HINTS[hint.kind]]
  return html`<p class="hint" role="alert">${text}</p>`
}

const HINTS = {
  wait: 'prove_wait',
  changed: 'changed',
  foreign: 'later_why',
} as const

function stepPart(lesson: ShownLesson, step: LessonStep, speech: Speech): string {
  const { words } = speech
  switch (step.kind) {
    case 'nothing':
      return ''
    case 'begun':
      return html`<p>${words.begun}</p>`
    case 'locked':
      return html`<p class="hint" role="alert">${words.prove_locked}</p>`
    case 'missing':
      return html`<p>${words.prove_missing}</p>`
    case 'birth_date':
      return proofPart(
        'prove',
        html`<label>${words.prove_birth_date}
<input type="date" name="birth_date" autocomplete="bday" required></label><button>${words.prove_go}</button>`,
        speech,
      )
    case 'mail':
      return proofPart('send', html`<p>${words.prove_mail}</p><button>${words.prove_send}</button>`, speech)
    case 'code':
      return codePart(step.challenge, speech)
    case 'act':
      return html`!${step.mayConfirm && !lesson.isConfirmed ? confirmPart(lesson, speech) : ''}
!${step.mayCancel ? cancelPart(lesson, step.fee_percent, speech) : ''}`
  }
}

function proofPart(act: string, fields: string, speech: Speech): string {
  return html`<section><h2>${speech.words.prove}</h2>!${form(act, fields, speech)}</section>`
}

function codePart(challenge: string, speech: Speech): string {
  const { words } = speech
  const fields = html`<input type="hidden" name="challenge" value="${challenge}">
<label>${words.prove_code}
<input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required></label>
<button>${words.prove_go}</button>`
  const again = form('send', html`<button class="second">${words.prove_send}</button>`, speech)
  return `${proofPart('prove', fields, speech)}${again}`
}

function confirmPart({ version }: ShownLesson, speech: Speech): string {
  return form(
    'confirm',
    html`<input type="hidden" name="version" value="${version}"><button>${speech.words.confirm}</button>`,
    speech,
  )
}

function cancelPart({ version }: ShownLesson, fee_percent: number, speech: Speech): string {
  const { words, locale } = speech
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(fee_percent / 100)
  const consequence =
    fee_percent > 0
      ? html`<p class="hint">${filled(words.cancel_fee, { percent })}</p><p>${words.cancel_ill}</p>`
      : html`<p>${words.cancel_free}</p>`
  return html`<section id="cancel"><h2>${words.cancel}</h2>!${consequence}<p>${words.cancel_final}</p>
!${form(
    'cancel',
    html`<input type="hidden" name="version" value="${version}"><input type="hidden" name="fee" value="${fee_percent}">
<button class="second">${words.cancel}</button>`,
    speech,
  )}</section>`
}

function form(act: string, fields: string, { language }: Speech): string {
  return html`<form method="post" action="?lang=${language}"><input type="hidden" name="act" value="${act}">!${fields}</form>`
}
