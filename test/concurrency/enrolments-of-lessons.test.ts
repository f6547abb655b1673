// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { mondays, slot, times } from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const ROUNDS = rounds(3)

it('lessons that are booked, completed and deleted while offices change the class count for one enrolment each', async () => {
  const school = await races.school()
  const templates = must(200, await school.client.get('/license-class-templates'))
  const ids = ['B', 'A1', 'A2'].map((code) => templates.find((one: Row) => one.code === code).id)
  const instructors = await school.instructors(8)
  const lesson_type_id = school.lessonTypes.RURAL
  for (const monday of mondays(ROUNDS)) {
    const student = await school.student({ license_class_template_id: ids[0] })
    const path = `/students/${student.id}`
    const book = (index: number) =>
      school.book({
        instructor_id: instructors[index]?.id,
        student_id: student.id,
        lesson_type_id,
        ...slot(monday, index * 90, 45),
      })
    const lessons: Row[] = []
    for (const index of [0, 1, 2, 3]) lessons.push(must(201, await book(index)))
    const requests = times(16, (index) => () => {
      const lesson = `/appointments/${lessons[index >> 2]?.id}`
      if (index % 4 === 0)
        return school.client.patch(path, { license_class_template_id: ids[(index >> 2) % 3] })
      if (index % 4 === 1) return school.client.patch(lesson, { status: 'completed' })
      if (index % 4 === 2) return book(4 + (index >> 2))
      return index < 8 ? school.client.delete(lesson) : school.client.patch(lesson, { notes: `${index}` })
    })
    for (const { status, body } of await school.race(requests))
      expect([200, 201, 204, 404], JSON.stringify(body)).toContain(status)
    const enrolments: Row[] = must(200, await school.client.get(`${path}/enrolments`))
    const known = new Set(enrolments.map(({ id }) => id))
    const stored: Row[] = must(200, await school.client.get(`/appointments?student_id=${student.id}`))
    const open = new Set(enrolments.filter(({ outcome }) => outcome === null).map(({ id }) => id))
    for (const { enrolment_id, license_class, status } of stored) {
      expect(known).toContain(enrolment_id)
      const own = enrolments.find(({ id }) => id === enrolment_id)
      expect(license_class).toBe(own?.license_class)
      if (status === 'planned') expect(open).toContain(enrolment_id)
    }
    let counted = 0
    for (const { id } of enrolments) {
      const { requirements } = must(200, await school.client.get(`/enrolments/${id}/progress`))
      const rural = requirements.find((one: Row) => one.lesson_type_id === lesson_type_id)
      counted += rural.done_units + rural.planned_units
    }
    expect(counted).toBe(stored.length)
  }
})
