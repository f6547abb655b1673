import { html } from 'ghtml'
import type { PersonDocument } from '../../booking/students/person-data.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { PersonRow } from '../../db/students/person-rows.ts'
import { localNow } from '../../domain/time-zone.ts'
import { messagesFor } from '../responses/messages.ts'
import { dayText, localMomentText, schoolPage } from './page-html.ts'
import { personTextsFor } from './person-texts.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const WALL_CLOCK = /^\d{4}-\d\d-\d\d \d\d:\d\d$/
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Returns the data of a person as a page, with headings in the language of the school. */
export function personPage({ generated_at, sections }: PersonDocument, tenant: Tenant): string {
  const { language } = new Intl.Locale(tenant.locale)
  const shown = language === 'de' ? 'de' : 'en'
  const texts = personTextsFor(shown)
  const format = formatter(tenant, shown)
  const [person] = sections[0]?.rows ?? []
  const parts = sections.map(({ name, rows }) => {
    const items = rows.map((row) => entry(row, texts.fields, format))
    const list = items.length > 0 ? html`<ul>!${items.join('')}</ul>` : html`<p>${texts.none}</p>`
    return html`<section><h2>${texts.sections[name]}</h2>!${list}</section>`
  })
  const main = html`<p class="hint">${texts.intro(format(generated_at))}</p>!${parts.join('')}`
  const title = texts.title(`${person?.first_name} ${person?.last_name}`)
  return schoolPage({ title, main }, { tenant, language: shown })
}

type Format = (value: unknown) => string

function entry(row: PersonRow, fields: Readonly<Record<string, string>>, format: Format): string {
  const lines = Object.entries(row).flatMap(([name, value]) => {
    const text = format(value)
    return text === '' ? [] : [html`<p><strong>${fields[name] ?? name}:</strong> ${text}</p>`]
  })
  return html`<li>!${lines.join('')}</li>`
}

function formatter({ locale, timezone }: Tenant, language: string): Format {
  const { values, fields, yes, no } = personTextsFor(language)
  const messages: Readonly<Record<string, unknown>> = messagesFor(language)
  const format: Format = (value) => {
    if (value === null || value === undefined) return ''
    if (typeof value === 'boolean') return value ? yes : no
    if (Array.isArray(value)) return value.map(format).join('; ')
    if (typeof value === 'object')
      return Object.entries(value)
        .filter(([, part]) => part !== null)
        .map(([name, part]) => `${fields[name] ?? name}: ${format(part)}`)
        .join(', ')
    const text = String(value)
    if (DAY.test(text)) return dayText(text, locale)
    if (WALL_CLOCK.test(text)) return localMomentText(text, locale)
    if (MOMENT.test(text)) return localMomentText(localNow(new Date(text), timezone), locale)
    return (
      values[text] ?? (typeof messages[`tick_${text}`] === 'string' ? String(messages[`tick_${text}`]) : text)
    )
  }
  return format
}
