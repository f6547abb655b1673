import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html } from 'ghtml'
import type { Tenant } from '../../contract/tenant.ts'
import type { StudentLesson } from '../../db/calendars/shared-lessons.ts'
import { dateOf, type LocalDateTime, timeOf } from '../../domain/local-time.ts'
import { mapLinkFor } from '../../domain/map-link.ts'
import type { RequirementProgress } from '../../domain/progress.ts'
import type { StudentActions } from '../../domain/student-actions.ts'
import { localNow } from '../../domain/time-zone.ts'
import { filled, messagesFor, type PageMessages } from '../responses/messages.ts'
import { type StudentData, typeNamer } from './student-data.ts'

const STYLE = readFileSync(new URL('student-page.css', import.meta.url), 'utf8')

/** The policy of a page: no script, its own style, and only the files that install it. */
export const PAGE_POLICY = policyFor('none')
/** The policy of a page with a form. */
export const FORM_POLICY = policyFor('self')

function policyFor(formAction: 'none' | 'self'): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    `form-action '${formAction}'`,
    "frame-ancestors 'none'",
    "img-src 'self'",
    "manifest-src 'self'",
  ].join(';')
}

type Look = { readonly address: string; readonly language: string; readonly languages: readonly string[] }

type Speech = {
  readonly texts: PageMessages
  readonly language: string
  /** The language with the school's country, so that a German school's English is not American. */
  readonly locale: string
  readonly nameOf: (id: string) => string
  readonly map_url: string | null
  readonly address: string
  readonly may: StudentActions & { readonly move: boolean }
  readonly now: LocalDateTime
}

/** Returns a student's page. It needs no script. */
export function studentPage(data: StudentData, look: Look): string {
  const { tenant, first_name } = data
  const { language } = look
  const texts = messagesFor(language)
  const locale = `${texts.tag}-${tenant.country}-u-nu-latn`
  const { map_url, student_actions, students_may_move: move } = tenant
  const may = { ...student_actions, move }
  const nameOf = typeNamer(data, language)
  const pageLanguage = { texts, language, locale, nameOf, map_url, address: look.address, may, now: data.now }
  const title = filled(texts.lessons_of, { name: first_name })
  return document(
    language,
    title,
    html`<header><p>${tenant.name}</p><h1>${title}</h1></header>
<main>!${offered(data, pageLanguage)}!${coming(data, pageLanguage)}!${data.progress ? about(data, pageLanguage, look) : ''}</main>
<footer>!${languageLinks(pageLanguage, look)}<p>${pageLanguage.texts.private}</p></footer>`,
    manifestLink(look.address),
  )
}

/** Returns the page shown instead of a missing or unavailable one, always the same so that it reveals nothing. */
export function noticePage(language: string, isGone: boolean): string {
  const { gone, gone_why, later, later_why } = messagesFor(language)
  const [title, why] = isGone ? [gone, gone_why] : [later, later_why]
  return document(language, title, html`<main class="notice"><h1>${title}</h1><p>${why}</p></main>`)
}

/** Returns the part of a page's head that lets a browser install the student's page. */
export function manifestLink(address: string): string {
  return html`<link rel="manifest" href="${address}.webmanifest">`
}

export function document(language: string, title: string, body: string, head = ''): string {
  const { direction, tag } = messagesFor(language)
  return html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow"><meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark"><title>${title}</title>!${head}
<style>!${STYLE}</style>
<body>
!${body}
</body>
</html>
`
}

function about(data: StudentData, pageLanguage: Speech, look: Look): string {
  return `${progress(data, pageLanguage)}${calendar(pageLanguage, look)}${school(data, pageLanguage)}`
}

/** Returns the offers to the student, each with a link to its own page. */
function offered({ tenant, offers }: StudentData, pageLanguage: Speech): string {
  if (offers.length === 0) return ''
  const { texts, language, locale, address, nameOf } = pageLanguage
  const items = offers.map(({ id, start_at, end_at, lesson_type_id, instructor, expires_at }) => {
    const until = localNow(new Date(expires_at), tenant.timezone)
    return html`<li>!${timeLine(start_at, end_at, locale)}
<p>${nameOf(lesson_type_id)}</p><p>${filled(texts.with, { name: instructor })}</p>
<p class="small">${filled(texts.offer_until, { time: localMomentText(until, locale) })}</p>
<p class="acts"><a href="${address}/offers/${id}?lang=${language}">${texts.offer_accept}</a></p></li>`
  })
  return html`<section><h2>${texts.offer}</h2><p>${texts.offer_why}</p><ol class="lessons">!${items.join('')}</ol></section>`
}

function coming({ lessons, next, progress, canGetPush }: StudentData, pageLanguage: Speech): string {
  const { texts, language, address, may } = pageLanguage
  const list = html`<ol class="lessons">!${lessons.map((lesson) => lessonItem(lesson, pageLanguage)).join('')}</ol>`
  const first = html`<a href="?lang=${language}">${texts.first}</a>`
  const more = html`<a href="?lang=${language}&cursor=${next}" rel="next">${texts.more}</a>`
  const links = html`<p class="pages">!${progress ? '' : first} !${next ? more : ''}</p>`
  const wishes = html`<p><a href="${address}/wishes?lang=${language}">${texts.wish}</a></p>`
  const messages = html`<p><a href="${address}/messages?lang=${language}">${texts.push}</a></p>`
  return html`<section><h2>${texts.coming}</h2>!${lessons.length > 0 ? list : html`<p>${texts.none}</p>`}
!${progress && !next ? '' : links}!${may.wish ? wishes : ''}!${canGetPush ? messages : ''}</section>`
}

function lessonItem(lesson: StudentLesson, pageLanguage: Speech): string {
  const { start_at, end_at, lesson_type_id, instructor, pickup_place } = lesson
  const { texts, locale, nameOf, map_url } = pageLanguage
  const isCancelled = lesson.status === 'cancelled'
  const status = isCancelled ? texts.cancelled : lesson.is_confirmed ? texts.confirmed : ''
  return html`<li !${isCancelled ? 'class="cancelled"' : ''}>
!${timeLine(start_at, end_at, locale)}
<p>${nameOf(lesson_type_id)}</p><p>${filled(texts.with, { name: instructor })}</p>!${pickupLine(pickup_place, map_url)}
!${status ? html`<p class="status">${status}</p>` : ''}!${actions(lesson, pageLanguage)}</li>`
}

function actions(lesson: StudentLesson, { texts, language, address, may, now }: Speech): string {
  const isOpen = lesson.is_single && lesson.status === 'planned' && lesson.start_at > now
  const page = `${address}/lessons/${lesson.id}?lang=${language}`
  const links = [
    may.confirm && !lesson.is_confirmed ? html`<a href="${page}">${texts.confirm}</a>` : '',
    may.move ? html`<a href="${page}#move">${texts.move}</a>` : '',
    may.cancel ? html`<a href="${page}#cancel">${texts.cancel}</a>` : '',
  ].filter(Boolean)
  return isOpen && links.length > 0 ? html`<p class="acts">!${links.join(' ')}</p>` : ''
}

/** Returns the pick-up place, as a link if the school has chosen a map. */
function pickupLine(place: string | null, map_url: string | null): string {
  if (!place) return ''
  const link = mapLinkFor(place, map_url)
  if (!link) return html`<p dir="auto">${place}</p>`
  return html`<p><a href="${link}" rel="noreferrer" dir="auto">${place}</a></p>`
}

/** Returns the day and times of a lesson. */
export function timeLine(start_at: LocalDateTime, end_at: LocalDateTime, locale: string): string {
  const times = `${timeOf(start_at)}–${timeOf(end_at)}`
  return html`<time datetime="${start_at.replace(' ', 'T')}"><span>${dayText(dateOf(start_at), locale)}</span> <bdi dir="ltr">${times}</bdi></time>`
}

/** Returns a moment as in "Monday 4 May 2026, 10:00". */
export function localMomentText(moment: LocalDateTime, locale: string): string {
  return `${dayText(dateOf(moment), locale)}, ${timeOf(moment)}`
}

/** A cache: creating a formatter takes as long as formatting a hundred dates. `languagesOf` limits the locales. */
const dayFormats = new Map<string, Intl.DateTimeFormat>()
const languageNames = new Map<string, Intl.DisplayNames>()

/** Returns a day as in "Monday 4 May 2026", with the same digits as the times next to it. */
export function dayText(date: string, locale: string): string {
  const format = dayFormats.get(locale) ?? new Intl.DateTimeFormat(locale, DAY)
  dayFormats.set(locale, format)
  return format.format(new Date(`${date}T00:00Z`))
}

const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const

function progress({ tenant, progress }: StudentData, pageLanguage: Speech): string {
  const { requirements, ready } = progress ?? { requirements: [], ready: false }
  if (requirements.length === 0) return ''
  const { texts } = pageLanguage
  return html`<section><h2>${texts.progress}</h2>
!${ready ? html`<p>${texts.ready}</p>` : ''}
<ul class="progress">!${requirements.map((one) => requirementItem(one, pageLanguage)).join('')}</ul>
<p class="small">${filled(texts.units, { minutes: tenant.unit_minutes })}</p></section>`
}

function requirementItem(requirement: RequirementProgress, { texts, nameOf }: Speech): string {
  const { lesson_type_id, required_units, done_units, planned_units } = requirement
  const { min_one_block_units, block_done, opening_units = 0 } = requirement
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
!${block_done === false ? html`<p class="small">${block}</p>` : ''}</li>`
}

function calendar({ texts, language }: Speech, { address }: Look): string {
  const file = `${address}.ics?lang=${language}`
  return html`<section class="calendar"><h2>${texts.calendar}</h2>
<p><a href="${file.replace(/^https?:/, 'webcal:')}">${texts.subscribe}</a> <a href="${file}" download="fahrplan.ics">${texts.download}</a></p></section>`
}

function school({ tenant }: StudentData, { texts }: Speech): string {
  const { name, cancellation_terms } = tenant
  const terms = html`<h3>${texts.terms}</h3><p class="terms" dir="auto">${cancellation_terms}</p>`
  return html`<section><h2>${texts.school}</h2><p>${name}!${callLink(tenant)}</p>
!${cancellation_terms ? terms : ''}</section>`
}

/** Returns the phone number of the school as a link, if it has one. */
export function callLink({ phone }: Pick<Tenant, 'phone'>): string {
  if (!phone) return ''
  return html` <a href="tel:${phone.replace(/[^\d+]/g, '')}"><bdi dir="ltr">${phone}</bdi></a>`
}

function languageLinks({ texts, language }: Speech, { languages }: Look): string {
  const links = languages.map((one) => {
    const { tag } = messagesFor(one)
    const names = languageNames.get(tag) ?? new Intl.DisplayNames(tag, { type: 'language' })
    languageNames.set(tag, names)
    const current = one === language ? 'aria-current="true"' : ''
    return html`<li><a href="?lang=${one}" lang="${tag}" hreflang="${tag}" !${current}>${names.of(one)}</a></li>`
  })
  return html`<nav aria-label="${texts.languages}"><ul>!${links.join('')}</ul></nav>`
}
