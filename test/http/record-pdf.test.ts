import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anEnrolmentOffice, type EnrolmentOffice, TODAY } from '../support/enrolment-office.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { pagesOfPdf } from '../support/pdf-text.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
const YEAR = 'from=2030-01-01&to=2030-12-31'

let office: EnrolmentOffice
let school: School

beforeEach(async () => {
  office = await anEnrolmentOffice(service())
  school = office.school
})

async function pdfOf(path: string, { client }: School = school) {
  const response = await fetch(`${service().url}/api/v1${path}`, { headers: client.headers })
  expect(response.status, path).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/pdf')
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers }
}

async function pagesAt(path: string, of: School = school) {
  return pagesOfPdf((await pdfOf(path, of)).bytes)
}

/** Enrols a student in 2030 for class B, with drives on its first days. */
async function trained(names: object, drives = 1): Promise<Row> {
  const student = await school.student({ license_class_template_id: office.classes.B, ...names })
  const [enrolment] = await office.enrolments(student)
  must(200, await office.change(enrolment as Row, { begins_on: '2030-01-02' }))
  for (let day = 1; day <= drives; day += 1)
    await office.drive(student, `2030-03-${String(day).padStart(2, '0')}`, { status: 'completed' })
  return enrolment as Row
}

async function ended(enrolment: Row, ends_on: string, outcome = 'passed'): Promise<Row> {
  return must(200, await office.change(enrolment, { outcome, ends_on }))
}

it('prints a record with its rows, digest and state', async () => {
  const enrolment = await trained({ first_name: 'Ελένη 👩‍🚀', last_name: 'Żółć' }, 2)
  const { digest } = must(200, await school.client.get(`/enrolments/${enrolment.id}/record`))
  const { bytes, headers } = await pdfOf(`/enrolments/${enrolment.id}/record.pdf`)
  expect(headers.get('content-disposition')).toBe('attachment; filename="record.pdf"')
  const [page = [], ...more] = pagesOfPdf(bytes)
  expect(more).toEqual([])
  expect(page.slice(0, 3)).toEqual([
    'Ausbildungsnachweis für Klasse B',
    'gemäß § 31 Absatz 1 FahrlG und § 6 Absatz 2 FahrschAusbO',
    'Zwischenstand',
  ])
  expect(page.join(' ')).toContain('01.03.2030 UL 10:00 90 1')
  expect(page.slice(-3)).toEqual([
    'Seite 1 von 1',
    'Żółć, Ελένη □',
    `Klasse B · Prüfsumme ${digest.slice(7, 19)} · Zwischenstand`,
  ])
})

it('names a class with its key number, and what was changed after a signature', async () => {
  const license_class_template_id = await templateOf(school, 'B197')
  const enrolment = await ended(await trained({ license_class_template_id }, 2), '2030-04-30')
  const path = `/enrolments/${enrolment.id}`
  const { digest, practice } = must(200, await school.client.get(`${path}/record`))
  const given = { as: 'school', digest, name: 'Ada Adler', strokes: null }
  must(201, await school.client.post(`${path}/signatures`, given))
  const [first, second] = practice as readonly Row[]
  const ending = { practised: 'Overtaking' }
  must(200, await school.client.patch(`/appointments/${first?.appointment_id}`, ending))
  must(204, await school.client.delete(`/appointments/${second?.appointment_id}`))
  const page = (await pagesAt(`${path}/record.pdf`)).flat()
  expect(page[0]).toBe('Ausbildungsnachweis für Klasse B197')
  expect(page.at(page.indexOf('Beantragte Klasse(n)') + 1)).toBe('B197')
  expect(page.at(-1)).toContain('Klasse B197 · ')
  const at = page.findIndex((text) => text.startsWith('Geändert nach der Unterschrift von Ada Adler am '))
  expect(page.slice(at + 1, at + 3)).toEqual(['01.03.2030 10:00: Inhalt', '02.03.2030 10:00: entfallen'])
  const { license_class } = must(200, await school.client.get(`${path}/record`))
  expect(license_class).toBe('B')
})

it('is the same bytes for the same data, dated by the newest change of what it shows', async () => {
  const enrolment = await trained({})
  const path = `/enrolments/${enrolment.id}/record.pdf`
  const first = await pdfOf(path)
  service().setClock(new Date(`${TODAY}T12:00:00Z`))
  expect((await pdfOf(path)).bytes.equals(first.bytes)).toBe(true)
  const dateIn = (bytes: Buffer) => /D:(\d{14}Z)/.exec(bytes.toString('latin1'))?.[1]
  const { student_id } = must(200, await school.client.get(`/enrolments/${enrolment.id}`))
  must(200, await school.client.patch(`/students/${student_id}`, { address: 'Weg 2' }))
  const { updated_at } = must(200, await school.client.get(`/students/${student_id}`))
  expect(dateIn((await pdfOf(path)).bytes)).toBe(`${updated_at.slice(0, 19).replace(/[-T:]/g, '')}Z`)
})

// A document reads a record at a time, and the embedded database has one connection for all readers.
it('prints the records of a period by name, each with page numbers of its own', {
  tags: 'embedded',
}, async () => {
  await ended(await trained({ last_name: 'Öz', first_name: 'Can' }, 28), '2030-04-30')
  await ended(await trained({ last_name: 'Adler', first_name: 'Eva' }), '2030-03-30', 'moved')
  await ended(await trained({ last_name: 'Adler', first_name: 'Ada' }), '2030-04-01')
  await trained({ last_name: 'Baum', first_name: 'Bo' })
  const pages = await pagesAt(`/records.pdf?${YEAR}`)
  const feet = pages.map((page) => page.slice(-3, -1))
  expect(feet.slice(0, 2)).toEqual([
    ['Seite 1 von 1', 'Adler, Ada'],
    ['Seite 1 von 1', 'Adler, Eva'],
  ])
  expect(feet.slice(2)).toEqual([
    ['Seite 1 von 3', 'Öz, Can'],
    ['Seite 2 von 3', 'Öz, Can'],
    ['Seite 3 von 3', 'Öz, Can'],
  ])
  expect(pages.map((page) => page.at(-1)?.split(' · ').at(-1))).toEqual([
    'Abgeschlossen',
    'Teilnachweis',
    'Abgeschlossen',
    'Abgeschlossen',
    'Abgeschlossen',
  ])
})

it('prints the records of trainings that go on, of one instructor, or that there are none', async () => {
  const { id } = await trained({ last_name: 'Baum', first_name: 'Bo' })
  await trained({ last_name: 'Adler', first_name: 'Ada' })
  const [{ instructor_id }] = must(200, await school.client.get(`/enrolments/${id}/record`)).instructors
  const own = await pagesAt(`/records.pdf?${YEAR}&state=running&instructor_id=${instructor_id}`)
  expect(own.map((page) => page.at(-2))).toEqual(['Baum, Bo'])
  const [none = []] = await pagesAt(`/records.pdf?${YEAR}`)
  expect(none[1]).toBe('In diesem Zeitraum gibt es keinen Ausbildungsnachweis.')
})

it('lists the gaps and signatures of the records of a period, in pages', async () => {
  const { id } = await ended(await trained({ last_name: 'Öz', first_name: 'Can' }), '2030-04-30')
  await ended(await trained({ last_name: 'Adler', first_name: 'Ada' }), '2030-04-01', 'stopped')
  const all = must(200, await school.client.get(`/records?${YEAR}`))
  expect(all.map(({ name }: Row) => name)).toEqual(['Adler, Ada', 'Öz, Can'])
  const { gaps } = must(200, await school.client.get(`/enrolments/${id}/record`))
  const { student_id } = must(200, await school.client.get(`/enrolments/${id}`))
  expect(gaps.length).toBeGreaterThan(0)
  expect(all[1]).toEqual({
    ...{ enrolment_id: id, student_id, name: 'Öz, Can', license_class: 'B' },
    ...{ state: 'ended', ends_on: '2030-04-30', gaps, signatures: { school: null, student: null } },
  })
  const first = await school.client.get(`/records?${YEAR}&limit=1`)
  expect(must(200, first)).toEqual(all.slice(0, 1))
  const [, next = ''] = /<\/api\/v1(.*)>/.exec(first.headers.get('link') ?? '') ?? []
  const last = await school.client.get(next)
  expect(must(200, last)).toEqual(all.slice(1))
  expect(last.headers.get('link')).toBeNull()
  const { status } = await school.client.get('/records?from=2030-02-01&to=2030-01-01')
  expect(status).toBe(400)
})

it('confirms a part only when no defect concerns it, and says which ones do', async () => {
  const enrolment = await trained({})
  const { id } = enrolment
  const refused = await school.client.get(`/enrolments/${id}/confirmation.pdf?part=theory`)
  expect(refused.status).toBe(409)
  expect(refused.body).toMatchObject({ code: 'not_complete', params: { part: 'theory' } })
  const codes = refused.body.errors.map(({ code }: Row) => code)
  expect(codes).toEqual(
    expect.arrayContaining(['school_address_missing', 'prior_classes_missing', 'units_missing']),
  )
  expect(codes).not.toContain('signature_missing')
  expect(refused.body.errors.at(-1)).toMatchObject({
    ...{ code: 'units_missing', severity: 'defect', appointment_id: null },
    params: { requirement: 'THEORY_SPECIFIC', required_units: 4, done_units: 0 },
  })
  const { client, lessonTypes } = school
  must(200, await client.patch('/tenant', { address: 'Ring 1', responsible: 'Ada Adler' }))
  must(200, await office.change(enrolment, { prior_classes: [] }))
  const { student_id } = must(200, await client.get(`/enrolments/${id}`))
  must(200, await client.patch(`/students/${student_id}`, { address: 'Weg 2', birth_date: '2010-01-01' }))
  const brought = (code: string, units: number) => ({
    ...{ lesson_type_id: lessonTypes[code], units, date: '2030-01-01', source: 'Beta' },
  })
  must(
    200,
    await client.put(`/students/${student_id}/opening-balance`, [
      brought('THEORY_BASIC', 24),
      brought('THEORY_SPECIFIC', 4),
    ]),
  )
  const [page = []] = await pagesAt(`/enrolments/${id}/confirmation.pdf?part=theory`)
  expect(page.slice(0, 2)).toEqual(['Bestätigung der theoretischen Ausbildung', 'gemäß § 16 Absatz 3 FeV'])
  expect(page.join('\n')).not.toContain('Überland')
  const practice = await client.get(`/enrolments/${id}/confirmation.pdf?part=practice`)
  expect([practice.status, practice.body.code]).toEqual([409, 'not_complete'])
  expect((await client.get(`/enrolments/${id}/confirmation.pdf?part=gearbox`)).status).toBe(404)
  expect((await client.get(`/enrolments/${id}/confirmation.pdf?part=all`)).status).toBe(400)
})

it('draws what was signed, and says that it was changed since', async () => {
  const enrolment = await ended(await trained({}), '2030-04-01')
  const path = `/enrolments/${enrolment.id}`
  const { digest, practice } = must(200, await school.client.get(`${path}/record`))
  const drawn = [
    [
      [0, 0, 0],
      [40, 20, 9],
    ],
    [[5, 5, 20]],
  ]
  const signed = async (as: string, name: string, strokes: unknown) =>
    must(201, await school.client.post(`${path}/signatures`, { as, digest, name, strokes }))
  await signed('school', 'Ada Adler', drawn)
  await signed('student', 'Lena Vogt', null)
  const [page = []] = await pagesAt(`${path}/record.pdf`)
  expect(page.filter((text) => text === 'Ada Adler')).toEqual([])
  expect(page.filter((text) => text.startsWith('Ada Adler, ') || text === 'Lena Vogt')).toHaveLength(2)
  const [{ appointment_id }] = practice
  must(
    200,
    await school.client.patch(`/appointments/${appointment_id}`, {
      actual_end_at: '2030-03-01 11:00',
      actual_start_at: '2030-03-01 10:00',
    }),
  )
  const [changed = []] = await pagesAt(`${path}/record.pdf`)
  expect(changed.filter((text) => text === 'geändert nach Unterschrift')).toHaveLength(2)
})

it('shows an instructor the records of their own students only, and nobody those of other schools', async () => {
  const mine = await ended(await trained({ last_name: 'Mine' }), '2030-04-01')
  const other = await ended(await trained({ last_name: 'Other' }), '2030-04-01')
  const [{ instructor_id }] = must(200, await school.client.get(`/enrolments/${mine.id}/record`)).instructors
  const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id })
  const phone = await enter(service(), { tenantId: school.tenantId, user })
  const shown = must(200, await phone.client.get(`/records?${YEAR}`))
  expect(shown.map(({ enrolment_id }: Row) => enrolment_id)).toEqual([mine.id])
  const names = (await pagesAt(`/records.pdf?${YEAR}`, phone)).map((page) => page.at(-2)?.split(',')[0])
  expect(new Set(names)).toEqual(new Set(['Mine']))
  await pdfOf(`/enrolments/${mine.id}/record.pdf`, phone)
  const paths = ['record.pdf', 'confirmation.pdf?part=theory'].map((one) => `/enrolments/${other.id}/${one}`)
  const foreign = await aSchool(service())
  for (const path of paths)
    for (const { client } of [phone, foreign]) expect((await client.get(path)).status).toBe(404)
  expect(must(200, await foreign.client.get(`/records?${YEAR}`))).toEqual([])
})
