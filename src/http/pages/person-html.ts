import { html } from 'ghtml'
import type { PersonDocument } from '../../booking/students/person-data.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { PersonRow } from '../../db/students/person-rows.ts'
import { localNow } from '../../domain/time-zone.ts'
import { dayName, dayText, localMomentText, schoolPage } from './page-html.ts'
import { wordFor } from './person-codes.ts'
import { personTextsFor } from './person-texts.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const WALL_CLOCK = /^\d{4}-\d\d-\d\d \d\d:\d\d$/
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** The names of lesson types by their ids. */
type TypeNames = ReadonlyMap<string, { readonly name: string }>

/** Returns the data of a person as a page, with headings and codes in the language of the school. */
export function personPage(
  { generated_at, sections }: PersonDocument,
  tenant: Tenant,
  types: TypeNames,
): string {
  const { language } = new Intl.Locale(tenant.locale)
  const shown = language === 'de' ? 'de' : 'en'
  const texts = personTextsFor(shown)
  const format = formatter(tenant, shown, types)
  const [person] = sections[0]?.rows ?? []
  const parts = sections.map(({ name, rows }) => {
    const items = rows.map((row) => entry(row, texts.fields, (field, value) => format(value, name, field)))
    const list = items.length > 0 ? html`<ul>!${items.join('')}</ul>` : html`<p>${texts.none}</p>`
    return html`<section><h2>${texts.sections[name]}</h2>!${list}</section>`
  })
  const main = html`<p class="hint">${texts.intro(format(generated_at, '', ''))}</p>!${parts.join('')}`
  const title = texts.title(`${person?.first_name} ${person?.last_name}`)
  return schoolPage({ title, main }, { tenant, language: shown })
}

function entry(
  row: PersonRow,
  fields: Readonly<Record<string, string>>,
  format: (field: string, value: unknown) => string,
): string {
  const lines = Object.entries(row).flatMap(([name, value]) => {
    const text = format(name, value)
    return text === '' ? [] : [html`<p><strong>${fields[name] ?? name}:</strong> ${text}</p>`]
  })
  return html`<li>!${lines.join('')}</li>`
}

/** Returns the text of a value in a field of a section or of another field. */
type Format = (value: unknown, within: string, field: string) => string

function formatter({ locale, timezone }: Tenant, language: string, types: TypeNames): Format {
  const { fields, yes, no } = personTextsFor(language)
  const format: Format = (value, within, field) => {
    if (value === null || value === undefined) return ''
    if (typeof value === 'boolean') return value ? yes : no
    if (Array.isArray(value)) return value.map((one) => format(one, within, field)).join('; ')
    if (typeof value === 'object')
      return Object.entries(value)
        .filter(([, part]) => part !== null)
        .map(([name, part]) => `${fields[name] ?? name}: ${format(part, field, name)}`)
        .join(', ')
    if (field === 'weekdays') return dayName(Number(value), locale)
    const text = String(value)
    if (DAY.test(text)) return dayText(text, locale)
    if (WALL_CLOCK.test(text)) return localMomentText(text, locale)
    if (MOMENT.test(text)) return localMomentText(localNow(new Date(text), timezone), locale)
    return wordFor(language, { within, field, code: text }) ?? types.get(text)?.name ?? text
  }
  return format
}
