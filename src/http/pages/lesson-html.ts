import { html } from 'ghtml'
import { filled } from '../../booking/packs/page-messages.ts'
import type { OfferedTime, OfferedTimes } from '../../booking/students/free-times.ts'
import { type LessonFacts, lessonLines, type PageLanguage, pageLanguageFor } from './page-html.ts'
import { type LessonStatus, statusText } from './status-html.ts'
import { timesPart } from './times-html.ts'
import {
  form,
  formPage,
  type Hint,
  hintPart,
  type StudentPageContext,
  type VerificationStep,
  verificationPart,
} from './verification-html.ts'

export type ShownLesson = Required<LessonFacts> & LessonStatus & { readonly version: number }

/** The next step: a verification, the permitted actions, or none. `fee_percent` applies to a cancellation now. */
export type LessonStep =
  | VerificationStep
  | { readonly kind: 'begun' | 'nothing' }
  | {
      readonly kind: 'act'
      readonly mayConfirm: boolean
      readonly mayCancel: boolean
      /** Whether the student may move the lesson, is too `late`, or the school releases no times (`off`). */
      readonly move: 'may' | 'late' | 'off'
      readonly fee_percent: number
    }

export type LessonView = {
  readonly lesson: ShownLesson
  readonly step: LessonStep
  readonly hint?: Hint | undefined
  /** The times to move the lesson to, if the student has requested them. */
  readonly times?: OfferedTimes | undefined
}

/** Returns the page of a lesson, which needs no script. */
export function lessonPage({ lesson, step, hint, times }: LessonView, context: StudentPageContext): string {
  const pageLanguage = pageLanguageFor(context)
  const main = html`!${lessonPart(lesson, pageLanguage)}!${hintPart(hint, pageLanguage)}!${stepPart({ lesson, step, times }, pageLanguage)}`
  return formPage(lesson.lesson_type, main, context)
}

function lessonPart(lesson: ShownLesson, { texts, locale }: PageLanguage): string {
  const { start_at, end_at, instructor, pickup_place } = lesson
  const lines = lessonLines({ start_at, end_at, instructor, pickup_place }, { texts, locale })
  const status = statusText(lesson, { texts, locale })
  return html`<ol class="lessons"><li !${lesson.status === 'cancelled' ? 'class="cancelled"' : ''}>
!${lines}
!${status ? html`<p class="status" role="status">${status}</p>` : ''}</li></ol>`
}

function stepPart({ lesson, step, times }: LessonView, pageLanguage: PageLanguage): string {
  const { texts } = pageLanguage
  switch (step.kind) {
    case 'nothing':
      return ''
    case 'begun':
      return html`<p>${texts.begun}</p>`
    case 'act':
      return html`!${step.mayConfirm && !lesson.is_confirmed ? confirmPart(lesson, pageLanguage) : ''}
!${step.move === 'off' ? '' : movePart(lesson, step.move === 'may', { times, pageLanguage })}
!${step.mayCancel ? cancelPart(lesson, step.fee_percent, pageLanguage) : ''}`
    default:
      return verificationPart(step, pageLanguage)
  }
}

function confirmPart({ version }: ShownLesson, pageLanguage: PageLanguage): string {
  return form(
    'confirm',
    html`<input type="hidden" name="version" value="${version}"><button>${pageLanguage.texts.confirm}</button>`,
    pageLanguage,
  )
}

type Moving = { readonly times: OfferedTimes | undefined; readonly pageLanguage: PageLanguage }

/** Returns the part for moving a lesson. The search needs a press of its own, because it costs more than a page. */
function movePart({ version }: ShownLesson, isInTime: boolean, { times, pageLanguage }: Moving): string {
  const { texts } = pageLanguage
  const section = (content: string) => html`<section id="move"><h2>${texts.move}</h2>!${content}</section>`
  if (!isInTime) return section(html`<p>${texts.move_late}</p>`)
  if (!times)
    return section(form('times', html`<button class="second">${texts.move_show}</button>`, pageLanguage))
  const fields = html`<input type="hidden" name="version" value="${version}">`
  const choice = {
    ...{ act: 'move', fields },
    search: (more: string) => form('times', more, pageLanguage),
    ...{ why: texts.move_why, take: texts.move_take, none: texts.move_none },
    value: ({ start_at }: OfferedTime) => start_at,
    about: () => '',
  }
  return section(timesPart(times, choice, pageLanguage))
}

function cancelPart({ version }: ShownLesson, fee_percent: number, pageLanguage: PageLanguage): string {
  const { texts, locale } = pageLanguage
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(fee_percent / 100)
  const consequence =
    fee_percent > 0
      ? html`<p class="hint">${filled(texts.cancel_fee, { percent })}</p><p>${texts.cancel_ill}</p>`
      : html`<p>${texts.cancel_free}</p>`
  return html`<section id="cancel"><h2>${texts.cancel}</h2>!${consequence}<p>${texts.cancel_final}</p>
!${form(
    'cancel',
    html`<input type="hidden" name="version" value="${version}"><input type="hidden" name="fee" value="${fee_percent}">
<button class="second">${texts.cancel}</button>`,
    pageLanguage,
  )}</section>`
}
