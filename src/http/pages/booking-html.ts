import { html } from 'ghtml'
import { filled } from '../../booking/packs/page-messages.ts'
import type { OfferedTimes } from '../../booking/students/free-times.ts'
import type { BookableLesson } from '../../booking/students/student-bookings.ts'
import { type LessonFacts, lessonLines, type PageLanguage, pageLanguageFor } from './page-html.ts'
import { timesPart } from './times-html.ts'
import {
  formPage,
  type Hint,
  hintPart,
  type StudentPageContext,
  searchForm,
  type VerificationStep,
  verificationPart,
} from './verification-html.ts'

export type BookingStep =
  | VerificationStep
  | { readonly kind: 'full'; readonly lessons: number }
  | { readonly kind: 'act'; readonly types: readonly BookableLesson[] }

export type BookingView = {
  readonly step: BookingStep
  readonly hint?: Hint | undefined
  /** The lesson that has just been booked. */
  readonly booked?: LessonFacts | undefined
  /** The lesson type and the times to choose from, if the student has requested them. */
  readonly found?: { readonly lesson_type_id: string; readonly times: OfferedTimes } | undefined
  readonly typeName: (id: string) => string
  /** Returns the first name of an instructor. */
  readonly instructorName: (id: string) => string
}

/** Returns the page on which a student books a lesson. It needs no script. */
export function bookingPage(view: BookingView, context: StudentPageContext): string {
  const pageLanguage = pageLanguageFor(context)
  const { hint, booked } = view
  const main = html`!${booked ? bookedPart(booked, pageLanguage) : ''}!${hintPart(hint, pageLanguage)}!${stepPart(view, pageLanguage)}`
  return formPage(pageLanguage.texts.book, main, context)
}

function bookedPart(booked: LessonFacts, pageLanguage: PageLanguage): string {
  const { texts } = pageLanguage
  return html`<section role="status"><h2>${texts.offer_booked}</h2><p>${texts.offer_booked_why}</p>
<ol class="lessons"><li>!${lessonLines(booked, pageLanguage)}</li></ol></section>`
}

function stepPart({ step, ...view }: BookingView, pageLanguage: PageLanguage): string {
  const { texts } = pageLanguage
  switch (step.kind) {
    case 'full':
      return html`<p>${filled(texts.book_full, { lessons: step.lessons })}</p>`
    case 'act':
      return step.types.length === 0
        ? html`<p>${texts.book_none}</p>`
        : searchPart(step.types, view, pageLanguage)
    default:
      return verificationPart(step, pageLanguage)
  }
}

type Found = Omit<BookingView, 'step'>

function searchPart(
  types: readonly BookableLesson[],
  { found, typeName, instructorName }: Found,
  pageLanguage: PageLanguage,
): string {
  const { texts } = pageLanguage
  const chosen = found?.lesson_type_id ?? types[0]?.lesson_type_id
  const options = types.map(
    ({ lesson_type_id: id, minutes }) =>
      html`<label class="time"><input type="radio" name="lesson_type_id" value="${id}" required !${id === chosen ? 'checked' : ''}> <span>${typeName(id)}<br>${filled(texts.wish_length, { minutes })}</span></label>`,
  )
  const search = searchForm(
    html`<fieldset><legend>${texts.book_type}</legend>!${options.join('')}</fieldset>
<button !${found ? 'class="second"' : ''}>${texts.move_show}</button>`,
    pageLanguage,
  )
  if (!found) return search
  const { times, lesson_type_id } = found
  const fields = html`<input type="hidden" name="lesson_type_id" value="${lesson_type_id}">`
  const all = [...times.wished, ...times.others]
  const areSeveral = new Set(all.map(({ instructor_id }) => instructor_id)).size > 1
  const nameFor = (id: string) => filled(texts.with, { name: instructorName(id) })
  const [first] = all
  const choice = {
    ...{ act: 'book', fields },
    search: (more: string) => searchForm(fields + more, pageLanguage),
    ...{ why: texts.book_why, take: texts.book, none: texts.book_none },
    value: ({ start_at, instructor_id }: (typeof all)[number]) => `${start_at} ${instructor_id}`,
    about: ({ instructor_id }: (typeof all)[number]) => (areSeveral ? nameFor(instructor_id) : ''),
  }
  const who = first && !areSeveral ? html` <span>${nameFor(first.instructor_id)}</span>` : ''
  return html`!${search}<section><h2>${typeName(lesson_type_id)}!${who}</h2>!${timesPart(times, choice, pageLanguage)}</section>`
}
