import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html } from 'ghtml'
import { filled, messagesFor, type PageMessages } from '../../booking/packs/page-messages.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { dateOf, type LocalDateTime, timeOf } from '../../domain/local-time.ts'
import { mapLinkFor } from '../../domain/map-link.ts'
import { localeIn } from '../../domain/page-languages.ts'

const STYLE = readFileSync(new URL('student-page.css', import.meta.url), 'utf8')

/** The policy of a page: no script, its own style, and only the files that install it. */
export const PAGE_POLICY = policyFor('none')
/** The policy of a page with a form. */
export const FORM_POLICY = policyFor('self')

/** Returns the policy of a page with a form that pages of these origins may embed. */
export function embeddedFormPolicy(origins: readonly string[]): string {
  return policyFor('self', origins)
}

function policyFor(formAction: 'none' | 'self', ancestors: readonly string[] = []): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    `form-action '${formAction}'`,
    `frame-ancestors ${ancestors.join(' ') || "'none'"}`,
    "img-src 'self'",
    "manifest-src 'self'",
  ].join(';')
}

/** The school and the language of a page that students open by a link. */
export type PageContext = { readonly tenant: Tenant; readonly language: string }

export type PageLanguage = {
  readonly texts: PageMessages
  readonly language: string
  /** The language with the school's country, so that a German school's English is not American. */
  readonly locale: string
}

export function pageLanguageFor({ tenant, language }: PageContext): PageLanguage {
  const texts = messagesFor(language)
  return { texts, language, locale: localeIn(language, tenant.country) }
}

type PageParts = {
  readonly title: string
  readonly main: string
  /** The content of the footer, by default the school's name and phone number. */
  readonly footer?: string
  readonly head?: string
  /** The languages to choose from, at the top, where they are found by those who cannot read the page. */
  readonly languages?: readonly string[]
}

/** Returns a page of the school, which needs no script. */
export function schoolPage(
  { title, main, footer, head, languages }: PageParts,
  context: PageContext,
): string {
  const { tenant, language } = context
  const links = languages ? languageLinks(pageLanguageFor(context), languages) : ''
  return document(
    language,
    title,
    html`<header><p>${tenant.name}</p><h1>${title}</h1>!${links}</header>
<main>!${main}</main>
<footer>!${footer ?? html`<p>${tenant.name}!${callLink(tenant)}</p>`}</footer>`,
    head,
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

function document(language: string, title: string, body: string, head = ''): string {
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

export type LessonFacts = {
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  /** The name of the type, unless the page is named after it. */
  readonly lesson_type?: string
  readonly instructor: string
  readonly pickup_place: string | null
}

/** Returns the lines of a lesson: times, type, instructor, and the pick-up place, as a link if the school's map is given. */
export function lessonLines(
  { start_at, end_at, lesson_type, instructor, pickup_place }: LessonFacts,
  { texts, locale }: Pick<PageLanguage, 'texts' | 'locale'>,
  map_url: string | null = null,
): string {
  return html`!${timeLine(start_at, end_at, locale)}
!${lesson_type === undefined ? '' : html`<p>${lesson_type}</p>`}<p>${filled(texts.with, { name: instructor })}</p>!${pickupLine(pickup_place, map_url)}`
}

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

const languageNames = new Map<string, Intl.DisplayNames>()

function languageLinks({ texts, language }: PageLanguage, languages: readonly string[]): string {
  const links = languages.map((one) => {
    const { tag } = messagesFor(one)
    const names = languageNames.get(tag) ?? new Intl.DisplayNames(tag, { type: 'language' })
    languageNames.set(tag, names)
    const current = one === language ? 'aria-current="true"' : ''
    return html`<li><a href="?lang=${one}" lang="${tag}" hreflang="${tag}" !${current}>${names.of(one)}</a></li>`
  })
  return html`<nav aria-label="${texts.languages}"><ul>!${links.join('')}</ul></nav>`
}

/** A cache: creating a formatter takes as long as formatting a hundred dates. `languagesOf` limits the locales. */
const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** Returns a day as in "Monday 4 May 2026", with the same digits as the times next to it. */
export function dayText(date: string, locale: string): string {
  const format = dayFormats.get(locale) ?? new Intl.DateTimeFormat(locale, DAY)
  dayFormats.set(locale, format)
  return format.format(new Date(`${date}T00:00Z`))
}

const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const

/** A cache, like that of days. */
const listFormats = new Map<string, Intl.ListFormat>()

/** Returns names as in "Photo, eye test and passport". */
export function listText(names: readonly string[], locale: string): string {
  const format = listFormats.get(locale) ?? new Intl.ListFormat(locale, { type: 'conjunction' })
  listFormats.set(locale, format)
  return format.format(names)
}

/** Returns the name of a day of the week; 1 is Monday. */
export function dayName(day: number, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  return format.format(new Date(Date.UTC(2024, 0, day)))
}

/** Returns the phone number of the school as a link, if it has one. */
export function callLink({ phone }: Pick<Tenant, 'phone'>): string {
  if (!phone) return ''
  return html` <a href="tel:${phone.replace(/[^\d+]/g, '')}"><bdi dir="ltr">${phone}</bdi></a>`
}

/** Returns the e-mail address of the school as a link, if it has one. */
export function mailLink({ email }: Pick<Tenant, 'email'>): string {
  if (!email) return ''
  const address = encodeURIComponent(email).replace('%40', '@')
  return html` <a href="mailto:${address}"><bdi dir="ltr">${email}</bdi></a>`
}
