import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isFault } from '../../src/doctor/finding.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { findingsInSchool } from '../support/doctor.ts'
import { anEnrolmentOffice, TODAY } from '../support/enrolment-office.ts'
import type { Row } from '../support/factory.ts'
import { rounds } from '../support/rounds.ts'
import { at } from '../support/times.ts'

const service = useService()

const CLASSES = ['B', 'A1', 'A'] as const
const TYPES = ['RURAL', 'THEORY_BASIC', 'THEORY_SPECIFIC'] as const
const STATUSES = ['completed', 'planned'] as const
const DAYS = ['2027-03-01', '2028-06-01', '2029-09-01', '2030-04-01', TODAY, '2030-05-20'] as const
const OUTCOMES = ['passed', 'stopped', 'moved', null] as const
const UNIT_MINUTES = 45
const YEARS = 2

const index = fc.nat({ max: 7 })
const edit = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('lesson' as const),
      type: fc.constantFrom(...TYPES),
      day: fc.constantFrom(...DAYS),
      status: fc.constantFrom(...STATUSES),
      named: fc.option(index, { nil: undefined }),
      isGroup: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('choose' as const), code: fc.option(fc.constantFrom(...CLASSES)) }),
  fc.record({
    do: fc.constant('enrol' as const),
    code: fc.constantFrom(...CLASSES),
    day: fc.constantFrom(...DAYS.slice(0, 5)),
    is_current: fc.boolean(),
  }),
  fc.record({ do: fc.constant('end' as const), which: index, outcome: fc.constantFrom(...OUTCOMES) }),
  fc.record({ do: fc.constant('give' as const), lesson: index, to: fc.option(index, { nil: undefined }) }),
  fc.record({ do: fc.constant('complete' as const), lesson: index }),
  fc.record({ do: fc.constant('delete' as const), lesson: index }),
  fc.record({ do: fc.constant('credit' as const), which: index, units: index }),
  fc.record({ do: fc.constant('balance' as const), units: index }),
  fc.record({ do: fc.constant('undo' as const) }),
)
type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never

type Stored = {
  readonly id: string
  readonly resource: string
  readonly outcome?: string | null
  readonly credits?: readonly { lesson_type_id: string; units: number; school: string }[]
  readonly student_id: string | null
  readonly enrolment_id: string | null
  readonly attendees: readonly { student_id: string; enrolment_id: string | null; attended: boolean | null }[]
  readonly lesson_type_id: string
  readonly status: string
  readonly start_at: string
  readonly end_at: string
}

type Logged = {
  readonly resource: string
  readonly resource_id: string
  readonly before: object | null
  readonly after: object | null
}

/** Returns the lessons and enrolments as the log, newest first, leaves them. */
function replayed(changes: readonly Logged[]): readonly Stored[] {
  const rows = new Map<string, object>()
  for (const { resource, resource_id, before, after } of changes.toReversed()) {
    if (resource !== 'appointment' && resource !== 'enrolment') continue
    const known = before === null ? {} : rows.get(resource_id)
    if (after === null) rows.delete(resource_id)
    else rows.set(resource_id, { ...known, ...after, resource, id: resource_id })
  }
  return [...rows.values()] as Stored[]
}

const yearsLater = (day: string, years: number) => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`

/** Counts the units of an enrolment row by row, as the law reads. */
function unitsIn(
  enrolment: { readonly id: string; readonly begins_on: string; readonly ends_on: string | null },
  type: { readonly id: string; readonly isShared: boolean },
  { rows, student_id }: { readonly rows: readonly Stored[]; readonly student_id: string },
) {
  const units = { done_units: 0, planned_units: 0 }
  for (const row of rows) {
    if (row.resource !== 'appointment' || row.lesson_type_id !== type.id) continue
    const seat = row.attendees.find((one) => one.student_id === student_id)
    if (row.student_id !== student_id && !seat) continue
    const given = seat ? seat.enrolment_id : row.enrolment_id
    const day = row.start_at.slice(0, 10)
    const isOpen = enrolment.begins_on <= day && day <= (enrolment.ends_on ?? day)
    const isLater = day < enrolment.begins_on && enrolment.begins_on <= yearsLater(day, YEARS)
    const isPassed = rows.some(({ id, outcome }) => id === given && outcome === 'passed')
    const counts = given === enrolment.id || (type.isShared && (isOpen || (isLater && !isPassed)))
    if (!counts || (seat && row.status === 'completed' && !seat.attended)) continue
    const minutes = (Date.parse(`${row.end_at}Z`) - Date.parse(`${row.start_at}Z`)) / 60_000
    if (row.status === 'completed') units.done_units += Math.floor(minutes / UNIT_MINUTES)
    if (row.status === 'planned') units.planned_units += Math.floor(minutes / UNIT_MINUTES)
  }
  for (const { lesson_type_id, units: brought } of creditsIn(rows, enrolment.id))
    if (lesson_type_id === type.id) units.done_units += brought
  return units
}

function creditsIn(rows: readonly Stored[], enrolmentId: string) {
  return rows.find(({ id }) => id === enrolmentId)?.credits ?? []
}

// Each run edits another school.
it('the progress of every enrolment is that of the log, after any edits', {
  tags: 'rounds',
  timeout: 240_000,
}, async () => {
  const { school, classes, enrolments, enrol, change, lena } = await anEnrolmentOffice(service())
  const { client, lessonTypes } = school
  const brought = (units: number, source: string) =>
    TYPES.slice(0, units % 3).map((code) => {
      return { lesson_type_id: lessonTypes[code], units, date: TODAY, [source]: 'Nord' }
    })
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 6, maxLength: 18 }), async (edits: readonly Edit[]) => {
      const student = await lena()
      const { id: instructor_id } = await school.instructor()
      const lessons: string[] = []
      let last: string | null = null
      let hour = 0
      for (const one of edits) {
        const all = await enrolments(student)
        const of = (which: number) => all[which % Math.max(all.length, 1)]
        const lesson = (which: number) => lessons[which % Math.max(lessons.length, 1)] ?? ''
        const send = () => {
          switch (one.do) {
            case 'lesson': {
              hour += 1
              const start = `${String(Math.floor(hour / 2) + 6).padStart(2, '0')}:${hour % 2 ? '30' : '00'}`
              const minutes = (Math.floor(hour / 2) + 6) * 60 + (hour % 2 ? 30 : 0) + 45 * (1 + (hour % 2))
              const end = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
              const named = one.named === undefined ? {} : { enrolment_id: of(one.named)?.id ?? null }
              const isGroup = one.isGroup && one.type !== 'RURAL'
              const whom = isGroup
                ? { attendees: [{ student_id: student.id, attended: true, ...named }] }
                : { student_id: student.id, ...named }
              return client.post('/appointments', {
                instructor_id,
                lesson_type_id: lessonTypes[one.type],
                status: one.status,
                ...whom,
                ...at(start, end, one.day),
              })
            }
            case 'choose':
              return client.patch(`/students/${student.id}`, {
                license_class_template_id: one.code && classes[one.code],
              })
            case 'enrol':
              return enrol(student, one.code, { begins_on: one.day, is_current: one.is_current })
            case 'end':
              return change(of(one.which) ?? { id: '' }, { outcome: one.outcome })
            case 'give':
              return client.patch(`/appointments/${lesson(one.lesson)}`, {
                enrolment_id: one.to === undefined ? null : (of(one.to)?.id ?? null),
              })
            case 'complete':
              return client.patch(`/appointments/${lesson(one.lesson)}`, { status: 'completed' })
            case 'delete':
              return client.delete(`/appointments/${lesson(one.lesson)}`)
            case 'credit':
              return client.put(`/enrolments/${of(one.which)?.id}/credits`, brought(one.units, 'school'))
            case 'balance':
              return client.put(`/students/${student.id}/opening-balance`, brought(one.units, 'source'))
            case 'undo':
              return client.post(`/changes/sets/${last}/undo`)
          }
        }
        const answer = await send()
        expect(answer.status, `${JSON.stringify(one)} ${answer.text}`).toBeLessThan(500)
        if (answer.status < 400) last = answer.headers.get('x-request-id')
        if (one.do === 'lesson' && answer.status === 201) lessons.push(String(answer.body.id))
      }
      const log: Logged[] = []
      for (let cursor = ''; ; ) {
        const page = await client.get(`/changes?limit=1000${cursor}`)
        log.push(...must(200, page))
        const next = page.headers.get('link')?.match(/cursor=([^&>]+)/)?.[1]
        if (!next) break
        cursor = `&cursor=${next}`
      }
      const rows = replayed(log)
      const current = (await enrolments(student)).find(({ is_current }) => is_current)
      const balance: Row[] = must(200, await client.get(`/students/${student.id}/opening-balance`))
      const shown = balance.map(({ lesson_type_id, units, source: from }) => [lesson_type_id, units, from])
      const credits = creditsIn(rows, current?.id ?? '')
      if (current) expect(shown).toEqual(credits.map((one) => [one.lesson_type_id, one.units, one.school]))
      for (const enrolment of (await enrolments(student)) as Parameters<typeof unitsIn>[0][]) {
        expect(rows.find(({ id }) => id === enrolment.id)).toMatchObject({ begins_on: enrolment.begins_on })
        const { requirements } = must(200, await client.get(`/enrolments/${enrolment.id}/progress`))
        const { totals } = must(200, await client.get(`/enrolments/${enrolment.id}/record`))
        const unitsOf = ({ required_units, done_units }: Row) => ({ required_units, done_units })
        expect(totals.map(unitsOf)).toEqual(requirements.map(unitsOf))
        for (const code of TYPES) {
          const id = lessonTypes[code] ?? ''
          const found = requirements.find(({ lesson_type_id }: Row) => lesson_type_id === id)
          if (!found) continue
          const type = { id, isShared: code === 'THEORY_BASIC' }
          expect(found).toMatchObject(unitsIn(enrolment, type, { rows, student_id: student.id }))
        }
      }
    }),
    { numRuns: rounds(25) },
  )
  const findings = await findingsInSchool(service().db, school.tenantId)
  expect(findings.filter(isFault)).toEqual([])
})
