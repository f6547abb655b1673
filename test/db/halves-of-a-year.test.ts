import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { sumLessons } from '../../src/db/numbers/lessons.ts'
import { openOwnDatabase, useService } from '../support/app.ts'
import { aSchool } from '../support/factory.ts'
import { GatedPool } from '../support/gated-pool.ts'

const service = useService()
const YEAR = { from: '2026-01-01', to: '2026-12-31' }
const TIMES = [
  { start_at: '2026-02-03 10:00', end_at: '2026-02-03 11:30' },
  { start_at: '2026-11-10 10:00', end_at: '2026-11-10 11:30' },
] as const

it('a lesson that moves to the other half of a year between any statements is summed up once', async () => {
  const school = await aSchool(service())
  const [instructor, student] = [await school.instructor(), await school.student()]
  const people = { instructor_id: instructor.id, student_id: student.id }
  const { id } = await school.lesson({ ...people, ...TIMES[0], status: 'completed' })
  const gate = new GatedPool()
  const db = gate.guard(await openOwnDatabase())
  const counts: number[] = []
  for (let isOver = false; !isOver; ) {
    gate.closeBefore(counts.length + 1)
    const sums = sumLessons(db, school.tenantId, YEAR, [])
    isOver = await Promise.race([gate.reached.then(() => false), sums.then(() => true)])
    const { start_at, end_at } = TIMES[(counts.length + 1) % 2 === 0 ? 0 : 1]
    await sql`update appointments set start_at = ${start_at}, end_at = ${end_at} where id = ${id}`.execute(
      service().db,
    )
    gate.open()
    const { types } = await sums
    counts.push(types.reduce((sum, { count }) => sum + count, 0))
  }
  await db.destroy()
  expect(counts.length).toBeGreaterThan(2)
  expect(counts).toEqual(counts.map(() => 1))
})
