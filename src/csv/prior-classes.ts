import type { Enrolment, NewPriorClasses } from '../contract/enrolment.ts'
import type { LocalDate } from '../domain/local-time.ts'
import { dateOfCell } from './cells.ts'

const NONE: Readonly<Record<string, string>> = { de: 'keine', en: 'none' }
const WORDS_FOR_NONE: ReadonlySet<string> = new Set([...Object.values(NONE), 'kein', 'nein', 'no', 'aucune'])

/** Returns classes as a file has them, such as `B (2019-05-01), AM`; null if nobody has asked for them. */
export function priorClassesText(classes: Enrolment['prior_classes'], language: string): string | null {
  if (classes?.length === 0) return NONE[language] ?? NONE.en ?? null
  const texts = classes?.map(({ license_class, since }) =>
    since === null ? license_class : `${license_class} (${since})`,
  )
  return texts?.join(', ') ?? null
}

/** Reads the classes of a cell, each once; the dates may have any spelling that forms accept. */
export function priorClassesOfCell(
  cell: string,
  place: { readonly today: LocalDate; readonly timezone: string },
): NonNullable<NewPriorClasses> {
  if (WORDS_FOR_NONE.has(cell.trim().toLowerCase())) return []
  const found = new Map<string, NonNullable<NewPriorClasses>[number]>()
  for (const part of cell.split(/[,;+\n]/)) {
    const [name = '', date = ''] = part.replace(')', '').split('(', 2)
    const license_class = name.trim()
    if (license_class === '') continue
    const since = date.trim() === '' ? null : dateOfCell(date.trim(), { kind: 'over', ...place })
    found.set(license_class, { license_class, since })
  }
  return [...found.values()]
}
