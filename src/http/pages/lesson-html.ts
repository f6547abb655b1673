import { html } from 'ghtml'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { filled } from '../responses/messages.ts'
import {
  form,
  formPage,
  type Hint,
  hintPart,
  type ProofStep,
  proofPart,
  type Seen,
  type Speech,
  speechOf,
} from './proof-html.ts'
import { timeLine } from './student-html.ts'

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
  | ProofStep
  | { readonly kind: 'begun' | 'nothing' }
  | {
      readonly kind: 'act'
      readonly mayConfirm: boolean
      readonly mayCancel: boolean
      readonly fee_percent: number
    }

export type LessonView = {
  readonly lesson: ShownLesson
  readonly step: LessonStep
  readonly hint?: Hint | undefined
}

/** Returns the page of a lesson, which needs no script. */
export function lessonPage({ lesson, step, hint }: LessonView, seen: Seen): string {
  const speech = speechOf(seen)
  const main = html`!${lessonPart(lesson, speech)}!${hintPart(hint, speech)}!${stepPart(lesson, step, speech)}`
  return formPage(lesson.lesson_type, main, seen)
}

function lessonPart(
  { start_at, end_at, instructor, pickup_place, isCancelled, isConfirmed }: ShownLesson,
  { words, locale }: Speech,
): string {
  const place = pickup_place ? html`<p dir="auto">${pickup_place}</p>` : ''
  const status = isCancelled ? words.cancelled : isConfirmed ? words.confirmed : ''
  return html`<ol class="lessons"><li !${isCancelled ? 'class="cancelled"' : ''}>
!${timeLine(start_at, end_at, locale)}
<p>${filled(words.with, { name: instructor })}</p>!${place}
!${status ? html`<p class="status" role="status">${status}</p>` : ''}</li></ol>`
}

function stepPart(lesson: ShownLesson, step: LessonStep, speech: Speech): string {
  const { words } = speech
  switch (step.kind) {
    case 'nothing':
      return ''
    case 'begun':
      return html`<p>${words.begun}</p>`
    case 'act':
      return html`!${step.mayConfirm && !lesson.isConfirmed ? confirmPart(lesson, speech) : ''}
!${step.mayCancel ? cancelPart(lesson, step.fee_percent, speech) : ''}`
    default:
      return proofPart(step, speech)
  }
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
