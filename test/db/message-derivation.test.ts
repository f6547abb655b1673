import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { databaseClock } from '../../src/db/now.ts'
import { deriveMessages } from '../../src/mail/derive-messages.ts'
import { openOwnDatabase, useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { Recorder } from '../support/plans.ts'

const service = useService()
let db: DatabasePool
let recorder: Recorder
let school: School
let student: Row

beforeAll(async () => {
  db = await openOwnDatabase()
  recorder = new Recorder(db.pool)
})

afterAll(() => db.destroy())

beforeEach(async () => {
  school = await aSchool(service())
  must(200, await school.client.patch('/tenant', { messages: { reminder: true } }))
  const instructor = await school.instructor()
  student = await school.student({ email: 'lena@reader.example', messages_consent: true })
  const people = { instructor_id: instructor.id, student_id: student.id }
  await school.lesson({ ...people, start_at: '2099-03-02 08:00', end_at: '2099-03-02 09:00' })
})

async function statementsFor(changes: number, change: (round: number) => Promise<unknown>): Promise<number> {
  await deriveMessages(db, school.tenantId, databaseClock)
  for (let round = 0; round < changes; round += 1) await change(round)
  recorder.takeAll()
  await deriveMessages(db, school.tenantId, databaseClock)
  return recorder.takeAll().length
}

describe('the number of statements that derive messages', () => {
  it('is the same for 12 changes of the settings as for one', async () => {
    const change = (round: number) =>
      school.client.patch('/tenant', { messages: { reminder_hours: [round + 3] } })
    const ofOne = await statementsFor(1, change)
    expect(ofOne).toBeGreaterThan(0)
    // Each run's last change sets new hours, as the single change does.
    expect(await statementsFor(12, (round) => change(round + 1))).toBe(ofOne)
  })

  it("is the same for 11 changes of a student's consent as for one", async () => {
    const change = (round: number) =>
      school.client.patch(`/students/${student.id}`, { messages_consent: round % 2 === 0 })
    must(200, await change(1))
    const ofOne = await statementsFor(1, change)
    expect(ofOne).toBeGreaterThan(0)
    must(200, await change(1))
    expect(await statementsFor(11, change)).toBe(ofOne)
  })
})
