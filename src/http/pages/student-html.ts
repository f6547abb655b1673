import { html } from 'ghtml'
import { filled, type PageMessages } from '../../booking/packs/page-messages.ts'
import { typeNamer } from '../../booking/packs/type-names.ts'
import type { OwnTraining } from '../../booking/trainings/own-training.ts'
import type { StudentLesson } from '../../db/calendars/shared-lessons.ts'
import type { OffPlan } from '../../domain/counted-minutes.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import type { RequirementProgress } from '../../domain/progress.ts'
import { maySign, type StudentActions } from '../../domain/student-actions.ts'
import { mayBook } from '../../domain/student-booking.ts'
import { localNow } from '../../domain/time-zone.ts'
import { offerItem } from './offer-html.ts'
import {
  callLink,
  lessonLines,
  mailLink,
  manifestLink,
  type PageLanguage,
  pageLanguageFor,
  schoolPage,
  timeLine,
} from './page-html.ts'
import { statusText } from './status-html.ts'
import type { StudentData } from './student-data.ts'
import { termsPart } from './terms-html.ts'
import { nextStepPart, papersPart } from './training-html.ts'

type PageAddress = {
  readonly address: string
  readonly language: string
  readonly languages: readonly string[]
}

type StudentPageLanguage = PageLanguage & {
  readonly nameOf: (id: string) => string
  readonly map_url: string | null
  readonly address: string
  readonly may: StudentActions & { readonly move: boolean; readonly book: boolean }
  readonly now: LocalDateTime
}

/** Returns a student's page. It needs no script. */
export function studentPage(data: StudentData, { address, language, languages }: PageAddress): string {
  const { tenant, first_name, now, training, isFormer } = data
  const { map_url, student_actions, students_may_move: move } = tenant
  const pageLanguage = {
    ...pageLanguageFor({ tenant, language }),
    nameOf: typeNamer(data, language),
    map_url,
    address,
    may: {
      ...student_actions,
      move,
      book: !isFormer && mayBook(tenant),
      wish: !isFormer && student_actions.wish,
    },
    now,
  }
  const { texts } = pageLanguage
  return schoolPage(
    {
      title: filled(texts.lessons_of, { name: first_name }),
      main: [
        offered(data, pageLanguage),
        training ? nextStepPart(training, pageLanguage) : '',
        coming(data, pageLanguage),
        training ? about(data, training, pageLanguage) : '',
      ].join(''),
      footer: html`<p>${texts.private}</p>`,
      languages,
      head: manifestLink(address),
    },
    { tenant, language },
  )
}

function about(data: StudentData, training: OwnTraining, pageLanguage: StudentPageLanguage): string {
  return [
    missed(data, pageLanguage),
    papersPart(training, pageLanguage),
    progress(data, training, pageLanguage),
    calendar(pageLanguage),
    school(data, pageLanguage),
  ].join('')
}

/** Returns the offers to the student, each with a link to its own page. */
function offered({ tenant, offers }: StudentData, pageLanguage: StudentPageLanguage): string {
  if (offers.length === 0) return ''
  const { texts, language, address, nameOf } = pageLanguage
  const items = offers.map(({ id, start_at, end_at, lesson_type_id, instructor, expires_at }) => {
    const until = localNow(new Date(expires_at), tenant.timezone)
    const lesson = { start_at, end_at, lesson_type: nameOf(lesson_type_id), instructor, pickup_place: null }
    const link = html`<p class="acts"><a href="${address}/offers/${id}?lang=${language}">${texts.offer_accept}</a></p>`
    return offerItem({ lesson, until }, link, pageLanguage)
  })
  return html`<section><h2>${texts.offer}</h2><p>${texts.offer_why}</p><ol class="lessons">!${items.join('')}</ol></section>`
}

function coming(
  { lessons, next, training, canGetPush }: StudentData,
  pageLanguage: StudentPageLanguage,
): string {
  const { texts, language, address, may } = pageLanguage
  const list = html`<ol class="lessons">!${lessons.map((lesson) => lessonItem(lesson, pageLanguage)).join('')}</ol>`
  const first = html`<a href="?lang=${language}">${texts.first}</a>`
  const more = html`<a href="?lang=${language}&cursor=${next}" rel="next">${texts.more}</a>`
  const links = html`<p class="pages">!${training ? '' : first} !${next ? more : ''}</p>`
  const book = html`<p><a href="${address}/book?lang=${language}">${texts.book}</a></p>`
  const weeks = html`<p><a href="${address}/weeks?lang=${language}">${texts.week}</a></p>`
  const wishes = html`<p><a href="${address}/wishes?lang=${language}">${texts.wish}</a></p>`
  const sign = html`<p><a href="${address}/signatures?lang=${language}">${texts.sign}</a></p>`
  const messages = html`<p><a href="${address}/messages?lang=${language}">${texts.push}</a></p>`
  return html`<section><h2>${texts.coming}</h2>!${lessons.length > 0 ? list : html`<p>${texts.none}</p>`}
!${training && !next ? '' : links}!${may.book ? book : ''}!${may.wish ? weeks + wishes : ''}!${maySign(may) ? sign : ''}!${canGetPush ? messages : ''}</section>`
}

function lessonItem(lesson: StudentLesson, pageLanguage: StudentPageLanguage): string {
  const { nameOf, map_url } = pageLanguage
  const lines = lessonLines({ ...lesson, lesson_type: nameOf(lesson.lesson_type_id) }, pageLanguage, map_url)
  const status = statusText(lesson, pageLanguage)
  return html`<li !${lesson.status === 'cancelled' ? 'class="cancelled"' : ''}>
!${lines}
!${status ? html`<p class="status">${status}</p>` : ''}!${actions(lesson, pageLanguage)}</li>`
}

function missed({ missed: lessons }: StudentData, pageLanguage: StudentPageLanguage): string {
  if (lessons.length === 0) return ''
  const { texts, locale, nameOf } = pageLanguage
  const items = lessons.map(
    ({ start_at, end_at, lesson_type_id, ...status }) => html`<li>!${timeLine(start_at, end_at, locale)}
<p>${nameOf(lesson_type_id)}</p><p class="status">${statusText({ ...status, is_confirmed: false }, pageLanguage)}</p></li>`,
  )
  return html`<section><h2>${texts.missed}</h2><ol class="lessons">!${items.join('')}</ol></section>`
}

function actions(lesson: StudentLesson, { texts, language, address, may, now }: StudentPageLanguage): string {
  const isOpen = lesson.is_single && lesson.status === 'planned' && lesson.start_at > now
  const page = `${address}/lessons/${lesson.id}?lang=${language}`
  const links = [
    may.confirm && !lesson.is_confirmed ? html`<a href="${page}">${texts.confirm}</a>` : '',
    may.move ? html`<a href="${page}#move">${texts.move}</a>` : '',
    may.cancel ? html`<a href="${page}#cancel">${texts.cancel}</a>` : '',
  ].filter(Boolean)
  return isOpen && links.length > 0 ? html`<p class="acts">!${links.join(' ')}</p>` : ''
}

function progress(
  { tenant }: StudentData,
  { progress: { requirements, ready } }: OwnTraining,
  pageLanguage: StudentPageLanguage,
): string {
  if (requirements.length === 0) return ''
  const { texts } = pageLanguage
  return html`<section><h2>${texts.progress}</h2>
!${ready ? html`<p>${texts.ready}</p>` : ''}
<ul class="progress">!${requirements.map((one) => requirementItem(one, pageLanguage)).join('')}</ul>
<p class="small">${filled(texts.units, { minutes: tenant.unit_minutes })}</p></section>`
}

function requirementItem(requirement: RequirementProgress, { texts, nameOf }: StudentPageLanguage): string {
  const { lesson_type_id, required_units, done_units, planned_units } = requirement
  const { min_one_block_units, block_done, opening_units = 0, off_plan } = requirement
  const done = filled(texts.done_of, { done: done_units, required: required_units })
  const opening = opening_units > 0 ? ` (${filled(texts.opening, { opening: opening_units })})` : ''
  const planned = planned_units > 0 ? `, ${filled(texts.planned, { planned: planned_units })}` : ''
  const block = filled(texts.block_open, { units: min_one_block_units ?? 0 })
  const [filledUpTo, plannedUpTo] = [done_units, done_units + planned_units].map((units) =>
    Math.min(100, (100 * units) / required_units),
  )
  return html`<li><p><strong>${nameOf(lesson_type_id)}</strong> <span>${done}${opening}${planned}</span></p>
<svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="open" width="100" height="4"/>
<rect class="planned" width="${plannedUpTo}" height="4"/><rect class="done" width="${filledUpTo}" height="4"/></svg>
!${block_done === false ? html`<p class="small">${block}</p>` : ''}!${off_plan ? html`<p class="small">${offPlanText(off_plan, texts)}</p>` : ''}</li>`
}

function offPlanText({ planned_minutes, actual_minutes }: OffPlan, texts: PageMessages): string {
  return filled(texts.off_plan, { planned: planned_minutes, actual: actual_minutes })
}

function calendar({ texts, language, address }: StudentPageLanguage): string {
  const file = `${address}.ics?lang=${language}`
  return html`<section class="calendar"><h2>${texts.calendar}</h2>
<p><a href="${file.replace(/^https?:/, 'webcal:')}">${texts.subscribe}</a> <a href="${file}" download="fahrplan.ics">${texts.download}</a></p></section>`
}

function school({ tenant, types }: StudentData, { texts, locale, nameOf }: StudentPageLanguage): string {
  const byCategory = new Map<string, string[]>()
  for (const [id, { category }] of types)
    byCategory.set(category, [...(byCategory.get(category) ?? []), nameOf(id)])
  return html`<section><h2>${texts.school}</h2><p>${tenant.name}!${callLink(tenant)}!${mailLink(tenant)}</p>
!${termsPart(tenant, { texts, locale, types: byCategory })}</section>`
}
