import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, aUser, enter, type School } from '../support/factory.ts'
import { pagesOfPdf } from '../support/pdf-text.ts'

const service = useService()
let school: School

beforeEach(async () => {
  service().setClock(new Date('2026-05-20T10:00:00Z'))
  school = await aSchool(service())
})

async function pdfOf(
  path: string,
  { client }: School = school,
): Promise<{ bytes: Buffer; headers: Headers }> {
  const response = await fetch(`${service().url}/api/v1${path}`, { headers: client.headers })
  expect(response.status).toBe(200)
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers }
}

async function drive(instructor_id: string, day: string, start: string, end: string): Promise<void> {
  const { id: student_id } = await school.student()
  const times = { start_at: `2026-05-${day} ${start}`, end_at: `2026-05-${day} ${end}` }
  await school.lesson({ instructor_id, student_id, status: 'completed', ...times })
}

// A sheet reads an instructor at a time, and the embedded database has one connection for all readers.
it('has a section per instructor with every day, its own page numbers, and letters of any name', {
  tags: 'embedded',
}, async () => {
  const names = [
    ['Łukasz', 'Żółć-Öztürk'],
    ['Ελένη', 'Παπαδοπούλου'],
    ['Ольга 👩‍🚀', 'Ковалёва'],
    ['محمد', 'علي'],
  ]
  for (const [first_name, last_name] of names) {
    const { id } = await school.instructor({ first_name, last_name, number: '7' })
    await drive(id, '04', '06:00', '14:16')
    await school.client.patch(`/instructors/${id}`, { max_daily_units: 11 })
  }
  const { bytes, headers } = await pdfOf('/minutes.pdf?month=2026-05')
  expect(headers.get('content-type')).toBe('application/pdf')
  expect(headers.get('content-disposition')).toBe('attachment; filename="minutes-2026-05.pdf"')
  const pages = pagesOfPdf(bytes)
  expect(pages).toHaveLength(4)
  for (const page of pages) {
    expect(page.slice(0, 2)).toEqual(['Fahrschule Test', 'Arbeitszeitnachweis für Mai 2026'])
    expect(page).toContain('Höchstens am Tag: 495 Minuten praktisch, 600 Minuten insgesamt')
    expect(page.filter((text) => /^(Mo|Di|Mi|Do|Fr|Sa|So)\., \d\d\.05\.$/.test(text))).toHaveLength(31)
    const day = page.slice(page.indexOf('Mo., 04.05.'), page.indexOf('Di., 05.05.'))
    expect(day.slice(1)).toEqual([
      ...['06:00', '14:16', '496', '496', '496', '496', '0', '496'],
      '06:00–14:16',
      ...['praktisch über 495', 'über 11 Einheiten am Tag', 'Pausen zu kurz', 'zu lange ohne Pause'],
    ])
    expect(page).toContain('Seite 1 von 1')
  }
  const whole = pages.map((page) => page.join(''))
  for (const name of ['Łukasz Żółć-Öztürk, Nr. 7', 'Ελένη Παπαδοπούλου, Nr. 7', 'Ольга □ Ковалёва, Nr. 7'])
    expect(
      whole.some((page) => page.includes(name)),
      name,
    ).toBe(true)
  // Readers put the letters of a text from right to left in order again.
  const reversed = [...'محمد علي'].reverse().join('')
  expect(whole.some((page) => page.includes(reversed))).toBe(true)
})

it('is the same bytes for the same data, with embedded fonts and no date', async () => {
  const { id } = await school.instructor()
  await drive(id, '04', '08:00', '09:30')
  const first = await pdfOf('/minutes.pdf?month=2026-05')
  const again = await pdfOf(`/minutes.pdf?month=2026-05&instructor_id=${id}`)
  expect(again.bytes.equals(first.bytes)).toBe(true)
  const text = first.bytes.toString('latin1')
  expect(text).toContain('/FontFile2')
  expect(text).toContain('D:19700101000000Z')
  await drive(id, '05', '08:00', '09:30')
  expect((await pdfOf('/minutes.pdf?month=2026-05')).bytes.equals(first.bytes)).toBe(false)
})

it('continues a long table on a second page with its headings', async () => {
  const { id } = await school.instructor({ max_daily_units: 1, max_daily_override: 96 })
  for (let day = 1; day <= 10; day += 1)
    for (const hour of ['08', '10', '12'])
      await drive(id, String(day).padStart(2, '0'), `${hour}:00`, `${hour}:50`)
  const pages = pagesOfPdf((await pdfOf('/minutes.pdf?month=2026-05')).bytes)
  expect(pages).toHaveLength(2)
  expect(pages.map((page) => page.includes('Gearbeitet'))).toEqual([true, true])
  expect(pages.map((page) => page.at(-2))).toEqual(['Seite 1 von 2', 'Seite 2 von 2'])
})

it('says in English that nobody worked, and shows an instructor only their own', async () => {
  const english = await aSchool(service(), { country: 'GB', timezone: 'Europe/London', locale: 'en-GB' })
  const [page, ...others] = pagesOfPdf((await pdfOf('/minutes.pdf?month=2026-05', english)).bytes)
  expect([page?.slice(1, 3), others]).toEqual([
    ['Working time in May 2026', 'Nobody worked in this month.'],
    [],
  ])
  const [own, other] = [await school.instructor(), await school.instructor({ last_name: 'Other' })]
  for (const { id } of [own, other]) await drive(id, '04', '08:00', '09:30')
  const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: own.id })
  const phone = await enter(service(), { tenantId: school.tenantId, user })
  expect(pagesOfPdf((await pdfOf('/minutes.pdf?month=2026-05', phone)).bytes)).toHaveLength(1)
  const { status } = await phone.client.get(`/minutes.pdf?month=2026-05&instructor_id=${other.id}`)
  expect(status).toBe(404)
})
