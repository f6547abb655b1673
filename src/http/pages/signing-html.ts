import { html } from 'ghtml'
import { filled } from '../../booking/packs/page-messages.ts'
import type { DueLesson, DueSignatures } from '../../contract/due-signatures.ts'
import { minutesLater } from '../../domain/local-time.ts'
import { SIGNED_NAME_LENGTH } from '../../domain/ranges.ts'
import { lessonLines, type PageLanguage, pageLanguageFor } from './page-html.ts'
import {
  form,
  formPage,
  type Hint,
  hintPart,
  type StudentPageContext,
  type VerificationStep,
  verificationPart,
} from './verification-html.ts'

export type SigningStep =
  | VerificationStep
  | {
      readonly kind: 'act'
      readonly due: DueSignatures | undefined
      readonly name: string
      readonly nameOf: (lessonTypeId: string) => string
    }

export type SigningView = { readonly step: SigningStep; readonly hint?: Hint | undefined }

/** Returns the page on which a student signs everything that is due, with the typed name. It needs no script. */
export function signingPage({ step, hint }: SigningView, context: StudentPageContext): string {
  const pageLanguage = pageLanguageFor(context)
  const { texts } = pageLanguage
  const content = step.kind === 'act' ? duePart(step, pageLanguage) : verificationPart(step, pageLanguage)
  return formPage(texts.sign, html`!${hintPart(hint, pageLanguage)}!${content}`, context)
}

type Acting = Extract<SigningStep, { kind: 'act' }>

function duePart({ due, name, nameOf }: Acting, pageLanguage: PageLanguage): string {
  const { texts } = pageLanguage
  if (!due) return html`<p>${texts.sign_none}</p>`
  const items = [
    ...due.records.map(({ enrolment_id, digest, license_class }) => {
      const title = filled(texts.sign_record, { class: license_class })
      return html`<li><label>!${chosen(enrolment_id, digest)} <strong>${title}</strong></label></li>`
    }),
    ...due.lessons.map((lesson) => lessonItem(lesson, nameOf(lesson.lesson_type_id), pageLanguage)),
  ]
  const fields = html`<ul class="lessons">!${items.join('')}</ul>
<label>${texts.sign_name}
<input name="name" value="${name}" maxlength="${SIGNED_NAME_LENGTH.max}" autocomplete="name" required></label>
<button>${texts.sign}</button>`
  return html`<p>${texts.sign_why}</p>!${form('sign', fields, pageLanguage)}`
}

function lessonItem(
  { appointment_id, digest, date, start_time, minutes, topic, instructor }: DueLesson,
  lesson_type: string,
  pageLanguage: PageLanguage,
): string {
  const start_at = `${date} ${start_time}`
  const times = { start_at, end_at: minutesLater(start_at, minutes) }
  const lines = lessonLines({ ...times, lesson_type, instructor, pickup_place: null }, pageLanguage)
  const length = filled(pageLanguage.texts.wish_length, { minutes })
  return html`<li><label>!${chosen(appointment_id, digest)} !${lines}</label><p>${length}</p>!${topic ? html`<p dir="auto">${topic}</p>` : ''}</li>`
}

function chosen(id: string, digest: string): string {
  return html`<input type="checkbox" name="item" value="${id} ${digest}" checked>`
}
