import { html } from 'ghtml'
import type { ReleasedTime } from '../../booking/student-moves.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
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

/** The next step: a proof, the permitted actions, or nothing. `fee_percent` is that of a cancellation now. */
export type LessonStep =
  | ProofStep
  | { readonly kind: 'begun' | 'nothing' }
  | {
      readonly kind: 'act'
      readonly mayConfirm: boolean
      readonly mayCancel: boolean
      /** Whether the student may move the lesson, could have done so before, or the school does not release times. */
      readonly move: 'may' | 'late' | 'off'
      readonly fee_percent: number
    }

export type LessonView = {
  readonly lesson: ShownLesson
  readonly step: LessonStep
  readonly hint?: Hint | undefined
  /** The times to move the lesson to, if they were asked for. */
  readonly times?: readonly ReleasedTime[] | undefined
}

/** Returns the page of a lesson, which needs no script. */
export function lessonPage({ lesson, step, hint, times }: LessonView, seen: PageContext): string {
  const speech = pageLanguageFor(seen)
  const main = html`!${lessonPart(lesson, speech)}!${hintPart(hint, speech)}!${stepPart({ lesson, step, times }, speech)}`
  return formPage(lesson.lesson_type, main, seen)
}

function lessonPart(
  { start_at, end_at, instructor, pickup_place, isCancelled, isConfirmed }: ShownLesson,
  { words, locale }: PageLanguage,
): string {
  const place = pickup_place ? html`<p dir="auto">${pickup_place}</p>` : ''
  const status = isCancelled ? words.cancelled : isConfirmed ? words.confirmed : ''
  return html`<ol class="lessons"><li !${isCancelled ? 'class="cancelled"' : ''}>
!${timeLine(start_at, end_at, locale)}
<p>${filled(words.with, { name: instructor })}</p>!${place}
!${status ? html`<p class="status" role="status">${status}</p>` : ''}</li></ol>`
}

function stepPart({ lesson, step, times }: LessonView, speech: PageLanguage): string {
  const { words } = speech
  switch (step.kind) {
    case 'nothing':
      return ''
    case 'begun':
      return html`<p>${words.begun}</p>`
    case 'act':
      return html`!${step.mayConfirm && !lesson.isConfirmed ? confirmPart(lesson, speech) : ''}
!${step.move === 'off' ? '' : movePart(lesson, step.move === 'may', { times, speech })}
!${step.mayCancel ? cancelPart(lesson, step.fee_percent, speech) : ''}`
    default:
      return proofPart(step, speech)
  }
}

function confirmPart({ version }: ShownLesson, speech: PageLanguage): string {
  return form(
    'confirm',
    html`<input type="hidden" name="version" value="${version}"><button>${speech.words.confirm}</button>`,
    speech,
  )
}

type Moving = { readonly times: readonly ReleasedTime[] | undefined; readonly speech: PageLanguage }

/** The search for another time is a press of its own: it costs more than a page. */
function movePart({ version }: ShownLesson, isInTime: boolean, { times, speech }: Moving): string {
  const { words, locale } = speech
  const section = (content: string) => html`<section id="move"><h2>${words.move}</h2>!${content}</section>`
  if (!isInTime) return section(html`<p>${words.move_late}</p>`)
  if (!times) return section(form('times', html`<button class="second">${words.move_show}</button>`, speech))
  if (times.length === 0) return section(html`<p role="status">${words.move_none}</p>`)
  const options = times.map(
    ({ start_at, end_at }) =>
      html`<label class="time"><input type="radio" name="start_at" value="${start_at}" required> !${timeLine(start_at, end_at, locale)}</label>`,
  )
  const fields = html`<input type="hidden" name="version" value="${version}">
<fieldset><legend>${words.move_why}</legend>!${options.join('')}</fieldset><button>${words.move_take}</button>`
  return section(form('move', fields, speech))
}

function cancelPart({ version }: ShownLesson, fee_percent: number, speech: PageLanguage): string {
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
