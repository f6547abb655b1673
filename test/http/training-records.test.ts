import { hash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anEnrolmentOffice, type EnrolmentOffice } from '../support/enrolment-office.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
let office: EnrolmentOffice
let school: School
let lena: Row
let eva: Row
let training: Row

beforeEach(async () => {
  office = await anEnrolmentOffice(service())
  school = office.school
  lena = await office.lena()
  eva = await school.instructor({
    ...{ first_name: 'Eva', last_name: 'Adler', number: '7', license_classes: ['B'] },
  })
  training = (await office.enrolments(lena))[0] as Row
  must(200, await office.change(training, { begins_on: '2030-03-01' }))
})

const type = (code: string) => ({ lesson_type_id: school.lessonTypes[code] })
const recordOf = async ({ id }: Row) => must(200, await school.client.get(`/enrolments/${id}/record`))

type Outcome = {
  readonly actual?: readonly [string, string]
  readonly practised?: string
  readonly exam_result?: object
}

/** Books a completed lesson with Eva, and records its actual times. */
async function drive(
  day: string,
  from: string,
  to: string,
  fields: Outcome & Readonly<Record<string, unknown>> = {},
): Promise<Row> {
  const { actual, practised, exam_result, ...booked }: Outcome = fields
  const made = await school.lesson({
    ...{ instructor_id: eva.id, student_id: lena.id, status: 'completed', ...type('RURAL') },
    ...{ ...at(from, to, day), ...booked },
  })
  const times = actual && {
    actual_start_at: `${day} ${actual[0]}`,
    actual_end_at: `${day} ${actual[1]}`,
  }
  return must(
    200,
    await school.client.patch(`/appointments/${made.id}`, { practised, exam_result, ...times }),
  )
}

describe('the record of an enrolment', () => {
  // Rows are selected in SQL.
  it('has attended theory, completed drives and tests with their real times, and numbers instructors', {
    tags: 'embedded',
  }, async () => {
    const { id: car } = must(
      201,
      await school.client.post('/vehicles', { name: 'Golf 1', kind: 'car', gearbox: 'manual' }),
    )
    const jonas = await school.instructor()
    const seat = { student_id: lena.id, attended: true }
    const group = { student_id: undefined, topic: 'Thema 3', attendees: [seat] }
    const theory = await drive('2030-04-02', '18:00', '19:30', {
      ...{ instructor_id: jonas.id, ...type('THEORY_BASIC'), ...group },
    })
    await drive('2030-04-03', '18:00', '19:30', {
      ...{ ...type('THEORY_BASIC'), ...group, attendees: [{ ...seat, attended: false }] },
    })
    const rural = await drive('2030-04-04', '10:00', '11:30', {
      ...{ practised: 'Überholen', vehicle_ids: [car], actual: ['10:05', '11:37'] },
    })
    await drive('2030-04-05', '10:00', '11:30', { status: 'no_show' })
    await drive('2030-04-06', '10:00', '11:30', { status: 'cancelled' })
    await drive('2030-04-07', '10:00', '11:30', type('CONSULTATION'))
    const test = await drive('2030-04-28', '10:00', '11:00', {
      ...{ ...type('THEORY_EXAM'), exam_result: { passed: true } },
    })
    const record = await recordOf(training)
    expect(record).toMatchObject({
      form: 'DE:DV-FahrlG-3:2022',
      law: 'FahrschAusbO',
      state: 'running',
      school: { name: 'Fahrschule Test', address: null, responsible: null },
      student: { last_name: 'Vogt', first_name: 'Lena', address: null, birth_date: null },
      license_class: 'B',
      prior_classes: null,
      instructors: [
        { no: 1, instructor_id: jonas.id, name: 'Jonas Brandt' },
        { no: 2, instructor_id: eva.id, name: 'Eva Adler' },
      ],
      theory: [
        {
          ...{ appointment_id: theory.id, date: '2030-04-02', start_time: '18:00', part: 'basic' },
          ...{ topic: 'Thema 3', minutes: 90, instructor_no: 1 },
        },
      ],
      practice: [
        {
          ...{ appointment_id: rural.id, date: '2030-04-04', start_time: '10:05', minutes: 92, code: 'UL' },
          ...{ content: 'Überholen', instructor_no: 2, vehicle: 'Golf 1', gearbox: 'manual' },
        },
      ],
      exams: [{ appointment_id: test.id, date: '2030-04-28', kind: 'theory', passed: true }],
      ...{ credits: [], cooperation: null, is_complete: false, signatures: [], retained_until: null },
    })
  })

  it('has the elapsed minutes of a drive while the clocks change', async () => {
    await drive('2030-03-31', '01:30', '03:30', type('NIGHT'))
    expect((await recordOf(training)).practice).toMatchObject([{ minutes: 60, code: 'NF' }])
  })

  it('takes two drives that touch for one block, and no two with a minute between them, as progress does', async () => {
    const block = async () => {
      const { totals } = await recordOf(training)
      const total = totals.find(({ requirement }: Row) => requirement === 'RURAL')
      const { requirements } = must(200, await school.client.get(`/enrolments/${training.id}/progress`))
      const { lesson_type_id } = type('RURAL')
      const { done_units, block_done } = requirements.find(
        (one: Row) => one.lesson_type_id === lesson_type_id,
      )
      expect({ done_units, block_done }).toEqual({
        done_units: total.done_units,
        block_done: total.block_done,
      })
      return total
    }
    await drive('2030-04-02', '10:00', '10:45')
    await drive('2030-04-02', '10:46', '11:31')
    expect(await block()).toMatchObject({ required_units: 5, done_units: 2, block_done: false })
    await drive('2030-04-03', '10:00', '10:45')
    await drive('2030-04-03', '10:45', '11:30')
    expect(await block()).toMatchObject({ done_units: 4, credited_units: 0, block_done: true })
  })

  it('counts credits of another school, and fewer units by prior classes', async () => {
    const credit = { ...type('RURAL'), units: 2, date: '2030-01-31' }
    const balance = [{ ...credit, source: 'Fahrschule Süd' }]
    must(200, await school.client.put(`/students/${lena.id}/opening-balance`, balance))
    must(200, await office.change(training, { prior_classes: [{ license_class: 'AM' }] }))
    const { credits, totals, prior_classes } = await recordOf(training)
    const stored = { ...credit, school: 'Fahrschule Süd', minutes: null, document: null, topics: [] }
    expect(credits).toEqual([stored])
    expect(prior_classes).toEqual([{ license_class: 'AM', since: null }])
    const units = Object.fromEntries(
      totals.map(({ requirement, required_units, credited_units }: Row) => [
        requirement,
        [required_units, credited_units],
      ]),
    )
    expect(units).toMatchObject({ RURAL: [5, 2], THEORY_BASIC: [12, 0] })
  })

  it('has a digest that changes with a minute, but not with names, and comes back with the record', async () => {
    const lesson = await drive('2030-04-02', '10:00', '11:30')
    const before = await recordOf(training)
    const { id: instructor_id } = eva
    const row = { appointment_id: lesson.id, code: 'UL', content: null, date: '2030-04-02', gearbox: null }
    const canonical = `{"cooperation":null,"credits":[],"license_class":"B","practice":[${JSON.stringify({
      ...row,
      ...{ instructor_id, minutes: 90, start_time: '10:00' },
    })}],"prior_classes":null,"student_id":"${lena.id}","theory":[]}`
    expect(before.digest).toBe(`sha256:${hash('sha256', canonical)}`)
    must(200, await school.client.patch(`/students/${lena.id}`, { last_name: 'Vogt-Adler' }))
    must(200, await school.client.patch(`/instructors/${eva.id}`, { last_name: 'Brandt' }))
    expect((await recordOf(training)).digest).toBe(before.digest)
    const change = (fields: object) => school.client.patch(`/appointments/${lesson.id}`, fields)
    must(200, await change(at('10:00', '11:31', '2030-04-02')))
    expect((await recordOf(training)).digest).not.toBe(before.digest)
    must(200, await change(at('10:00', '11:30', '2030-04-02')))
    expect((await recordOf(training)).digest).toBe(before.digest)
  })

  it('is partial after a broken-off training, with its retention from the last lesson on', async () => {
    await drive('2030-04-02', '10:00', '11:30')
    must(200, await office.change(training, { outcome: 'moved', ends_on: '2030-05-01' }))
    const { state, retained_until, gaps } = await recordOf(training)
    expect([state, retained_until]).toEqual(['partial', '2035-12-31'])
    expect(gaps).toContainEqual({
      ...{ code: 'units_missing', severity: 'note', appointment_id: null },
      params: { requirement: 'RURAL', required_units: 5, done_units: 2 },
    })
  })

  it('lists its gaps in order, with the lesson that each is about', async () => {
    const planned = await drive('2030-04-02', '10:00', '11:30', { status: 'planned' })
    const short = await drive('2030-04-03', '10:00', '10:45', type('MOFA_PRACTICE'))
    const { gaps } = await recordOf(training)
    expect(gaps.map(({ code }: Row) => code)).toEqual([
      ...['school_address_missing', 'responsible_missing', 'address_missing', 'birth_date_missing'],
      ...[
        'prior_classes_missing',
        'still_planned',
        'code_missing',
        'content_missing',
        'actual_times_missing',
      ],
    ])
    expect(gaps.find(({ code }: Row) => code === 'still_planned')).toEqual({
      ...{ code: 'still_planned', severity: 'defect', params: { date: '2030-04-02' } },
      appointment_id: planned.id,
    })
    expect(gaps.find(({ code }: Row) => code === 'content_missing')).toMatchObject({
      ...{ severity: 'note', appointment_id: short.id },
    })
    must(200, await school.client.patch('/tenant', { record: { content: 'defect' } }))
    const again = await recordOf(training)
    expect(again.gaps.find(({ code }: Row) => code === 'content_missing').severity).toBe('defect')
  })

  it('is complete once nothing is missing', async () => {
    const facts = { address: 'Lindenweg 4', birth_date: '2010-02-11' }
    must(200, await school.client.patch(`/students/${lena.id}`, facts))
    must(200, await school.client.patch('/tenant', { address: 'Hauptstraße 12', responsible: 'Ute Brandt' }))
    must(200, await school.client.patch('/tenant', { record: { signatures: [] } }))
    const be = must(
      201,
      await office.enrol(lena, 'A2_STEP_A1_GE2Y', { prior_classes: [{ license_class: 'A1' }] }),
    )
    expect(await recordOf(be)).toMatchObject({ is_complete: false, gaps: [] })
    must(200, await office.change(be, { outcome: 'passed' }))
    expect(await recordOf(be)).toMatchObject({ is_complete: true, state: 'ended', gaps: [] })
    must(200, await school.client.patch('/tenant', { record: { signatures: ['student'] } }))
    expect((await recordOf(be)).gaps).toMatchObject([
      { code: 'signature_missing', params: { as: 'student' } },
    ])
  })

  it.each([
    ['MOFA', 'MOFA_PRACTICE'],
    ['B96', 'B96_TRAINING'],
    ['B196', 'B196_TRAINING'],
  ])(
    'asks for no form, code or signature of a training with a certificate of its own: %s',
    async (code, practice) => {
      must(
        200,
        await school.client.patch('/tenant', { address: 'Hauptstraße 12', responsible: 'Ute Brandt' }),
      )
      must(200, await school.client.patch(`/instructors/${eva.id}`, { license_classes: ['B', 'Mofa'] }))
      const facts = { address: 'Lindenweg 4', birth_date: '2001-02-11' }
      const mia = await school.student({ ...facts, license_class_template_id: office.classes[code] })
      const [own] = (await office.enrolments(mia)) as [Row]
      must(200, await office.change(own, { begins_on: '2030-03-01', prior_classes: [] }))
      await drive('2030-04-02', '10:00', '11:30', { student_id: mia.id, ...type(practice) })
      const { requirements } = must(200, await school.client.get(`/enrolments/${own.id}/progress`))
      const credits = requirements.map(({ lesson_type_id, required_units: units }: Row) => ({
        ...{ lesson_type_id, units, date: '2030-03-02', school: 'Fahrschule Süd' },
      }))
      must(200, await school.client.put(`/enrolments/${own.id}/credits`, credits))
      must(200, await office.change(own, { outcome: 'passed' }))
      const record = await recordOf(own)
      expect(record).toMatchObject({ form: null, practice: [{ code: null }], is_complete: true })
      expect(record.gaps.filter(({ severity }: Row) => severity === 'defect')).toEqual([])
    },
  )

  it('leaves refresher lessons out, which belong to no training', async () => {
    await drive('2030-04-02', '10:00', '11:30', type('REFRESHER'))
    const { practice, gaps } = await recordOf(training)
    expect(practice).toEqual([])
    expect(gaps.filter(({ code }: Row) => code === 'code_missing')).toEqual([])
  })

  it('shows an overlap with another lesson of its instructor', async () => {
    const mia = await school.student({ first_name: 'Mia' })
    const first = await drive('2030-04-02', '10:00', '11:30', { actual: ['10:00', '11:40'] })
    const second = await drive('2030-04-02', '11:30', '13:00', { student_id: mia.id })
    const overlaps = (await recordOf(training)).gaps.filter(({ code }: Row) => code === 'overlap')
    expect(overlaps).toMatchObject([{ appointment_id: first.id, params: { with: second.id } }])
  })
})

describe('records as files', () => {
  it('are CSV of one enrolment, or of all that ended in a period, by name', async () => {
    const mia = await school.student({
      first_name: 'Mia',
      last_name: 'Adam',
      license_class_template_id: office.classes.B,
    })
    const [other] = (await office.enrolments(mia)) as [Row]
    must(200, await office.change(other, { begins_on: '2030-03-01' }))
    await drive('2030-04-02', '10:00', '11:30', { practised: 'Überholen; Abstand' })
    await drive('2030-04-03', '10:00', '11:30', { student_id: mia.id })
    const one = await school.client.get(`/enrolments/${training.id}/record.csv`)
    expect(one.headers.get('content-type')).toContain('text/csv')
    const heading =
      'Zeile;Datum;Beginn;Thema;Kürzel;Geübt;Minuten;Nr. des Fahrlehrers;Fahrlehrer;Fahrzeug;Getriebe;Prüfungsergebnis;Art;Einheiten;Fahrschule;Nachweis'
    const row = 'practice;2030-04-02;10:00;;UL;"Überholen; Abstand";90;1;Eva Adler;;;;;;;'
    expect(one.text).toBe(`${heading}\r\n${row}\r\n`)
    const all = async (query: string) => (await school.client.get(`/records.csv?${query}`)).text.split('\r\n')
    const april = 'from=2030-04-01&to=2030-04-30'
    expect(await all(april)).toHaveLength(2)
    expect(await all(`${april}&state=running`)).toMatchObject([
      `Fahrschüler-ID;Ausbildungs-ID;Nachname;Vorname;Klasse;${heading}`,
      expect.stringContaining(`${mia.id};${other.id};Adam;Mia;B;practice;2030-04-03`),
      `${lena.id};${training.id};Vogt;Lena;B;${row}`,
      '',
    ])
    must(200, await office.change(training, { outcome: 'passed', ends_on: '2030-04-30' }))
    expect((await all(april))[1]).toContain(training.id)
    expect(await all('from=2030-05-01&to=2030-05-02')).toHaveLength(2)
    expect(await all(`${april}&instructor_id=${eva.id}`)).toHaveLength(3)
    const { id } = await school.instructor()
    expect(await all(`${april}&instructor_id=${id}`)).toHaveLength(2)
    const wrong = await school.client.get('/records.csv?from=2030-05-01&to=2030-04-01')
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([400, '?to'])
  })

  it('are those of own students for an instructor, and none of another school', async () => {
    await drive('2030-04-02', '10:00', '11:30')
    const logIn = async (instructor_id: string) =>
      enter(service(), {
        tenantId: school.tenantId,
        user: await aUser(service(), school.tenantId, { role: 'instructor', instructor_id }),
      })
    const own = await logIn(eva.id)
    const otherInstructor = await logIn((await school.instructor()).id)
    const elsewhere = await aSchool(service())
    for (const path of ['record', 'record.csv']) {
      const address = `/enrolments/${training.id}/${path}`
      expect((await own.client.get(address)).status).toBe(200)
      expect((await otherInstructor.client.get(address)).status).toBe(404)
      expect((await elsewhere.client.get(address)).status).toBe(404)
    }
    const running = '/records.csv?from=2030-04-01&to=2030-04-30&state=running'
    expect((await own.client.get(running)).text).toContain(lena.id)
    expect((await otherInstructor.client.get(running)).text).not.toContain(lena.id)
    expect((await elsewhere.client.get(running)).text).not.toContain(lena.id)
  })
})
