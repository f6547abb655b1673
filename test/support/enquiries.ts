import { randomUUID } from 'node:crypto'
import { type Answer, Client, type Headings, must, type Reached } from './client.ts'
import type { Row, School } from './factory.ts'

export const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** The fields of a form that is filled in. */
export const FILLED = {
  first_name: 'Mia',
  last_name: 'Wolf',
  phone: '+49 30 5550199',
  email: '',
  license_class: 'B',
  message: 'After work, please.',
  consent: 'yes',
}

export function aSlug(): string {
  return `school-${randomUUID()}`
}

/** Opens the form of a school at an address of its own. Returns that. */
export async function openForm({ client }: School, settings: object = {}): Promise<string> {
  const slug = aSlug()
  must(200, await client.patch('/tenant', { enquiries: { enabled: true, slug, ...settings } }))
  return slug
}

/** Sends a form from a network of its own, or as the client given. */
export async function sendForm(
  service: Reached,
  slug: string,
  fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[] = {},
  { client = new Client(service), query = '', headers = {} as Headings } = {},
): Promise<Answer> {
  const changed = Array.isArray(fields) ? fields : Object.entries(fields)
  const names = new Set(changed.map(([name]) => name))
  const kept = Object.entries(FILLED).filter(([name]) => !names.has(name))
  const body = new URLSearchParams([...kept, ...changed] as [string, string][]).toString()
  return client.post(`//e/${slug}${query}`, body, { ...FORM_TYPE, ...headers })
}

export async function enquiriesOf({ client }: School, query = ''): Promise<readonly Row[]> {
  return must(200, await client.get(`/enquiries${query}`))
}

/** Opens a form, sends it and returns the enquiry. */
export async function anEnquiry(
  service: Reached,
  school: School,
  fields: Readonly<Record<string, string>> = {},
): Promise<Row> {
  const slug = await openForm(school)
  must(202, await sendForm(service, slug, fields))
  const [enquiry] = await enquiriesOf(school)
  if (!enquiry) throw new Error('no enquiry')
  return enquiry
}
