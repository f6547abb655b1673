import type { Tenant } from '../../contract/tenant.ts'
import { ORIGIN, SLUG } from '../../domain/enquiries.ts'
import { MAX_ORIGINS, SLUG_LENGTH } from '../../domain/ranges.ts'

/** The form for enquiries; the origins are lines. */
export type EnquiryForm = {
  readonly enabled: boolean
  readonly classes: readonly string[]
  readonly text: string
  readonly slug: string
  readonly origins: string
}

export function enquiryFormOf({ enquiries }: Pick<Tenant, 'enquiries'>): EnquiryForm {
  const { text, slug, origins } = enquiries
  return { ...enquiries, text: text ?? '', slug: slug ?? '', origins: origins.join('\n') }
}

export function enquiriesIn(form: EnquiryForm): Tenant['enquiries'] {
  const { enabled, classes, text, slug } = form
  return {
    enabled,
    classes: [...classes],
    text: text.trim() || null,
    slug: slug.trim() || null,
    origins: originsIn(form),
  }
}

/** Returns the origin of each line: an address that was copied from a browser loses its path. */
function originsIn({ origins }: EnquiryForm): string[] {
  const lines = origins.split(/\s+/).filter(Boolean)
  return [...new Set(lines.map((line) => /^https?:\/\/[^/]+/i.exec(line)?.[0].toLowerCase() ?? line))]
}

/** Whether the address is possible: nothing while the form is off. */
export function isSlugWhole({ enabled, slug }: EnquiryForm): boolean {
  const given = slug.trim()
  if (given === '') return !enabled
  return given.length >= SLUG_LENGTH.min && given.length <= SLUG_LENGTH.max && SLUG.test(given)
}

export function areOriginsWhole(form: EnquiryForm): boolean {
  const origins = originsIn(form)
  return origins.length <= MAX_ORIGINS && origins.every((one) => ORIGIN.test(one))
}

/** Returns the part of a page that shows the form in a frame. */
export function snippetFor(address: string, title: string): string {
  return `<iframe src="${address}" title="${title}" width="100%" height="1100" style="border:0" loading="lazy"></iframe>`
}
