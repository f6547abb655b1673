// @module-tag embedded: the outcome of a race depends on how a database locks

import pg from 'pg'
import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { type PostgresDatabase, testDatabase } from '../support/database.ts'
import { aSchool } from '../support/factory.ts'
import { conflictWith, mondays, type Request, type Slot, slot } from '../support/races.ts'

const service = useService()
const [monday = ''] = mondays(1)
const hour = slot(monday, 480, 60)

/** A lesson as stored by a writer that ignores the rules and the locks. */
type Rival = Slot & { readonly id: string; readonly student_id: string | null }

it.each(['instructor_busy', 'student_busy'] as const)(
  'a booking rejected by a database constraint gets the usual 409 %s',
  async (code) => {
    const { school, rival, mine } = await aRivalry(code)
    const answer = await answerBehind(rival, () => school.book({ ...mine, ...hour }))
    expect(answer.status).toBe(409)
    expect({ code: answer.body.code, params: answer.body.params }).toEqual(conflictWith(code, rival))
  },
)

it.each(['instructor_busy', 'student_busy'] as const)(
  'a change rejected by a database constraint gets the usual 409 %s',
  async (code) => {
    const { school, rival, mine } = await aRivalry(code)
    const lesson = await school.lesson({ ...mine, ...slot(monday, 900) })
    const answer = await answerBehind(rival, () => school.client.patch(`/appointments/${lesson.id}`, hour))
    expect(answer.status).toBe(409)
    expect({ code: answer.body.code, params: answer.body.params }).toEqual(conflictWith(code, rival))
  },
)

/** Creates a rival for the lesson to book: of the same instructor, or of the same student with another one. */
async function aRivalry(code: 'instructor_busy' | 'student_busy') {
  const school = await aSchool(service())
  const first = await school.instructor()
  const second = await school.instructor()
  const { id: student_id } = await school.student()
  const isInstructor = code === 'instructor_busy'
  const { id } = await school.lesson({ instructor_id: first.id, status: 'cancelled', ...hour })
  const rival: Rival = { ...hour, id, student_id: isInstructor ? null : student_id }
  const mine = { instructor_id: isInstructor ? first.id : second.id, student_id }
  return { school, rival, mine }
}

/**
 * Returns the response to a request that checks the rules while the rival is invisible and writes when it is visible. On a server
 * the rival commits while the request waits for it. PGlite has no second connection, so there the rival is stored first.
 */
async function answerBehind(rival: Rival, request: Request): Promise<Answer> {
  const { id, student_id } = rival
  const database = testDatabase()
  if (database.kind !== 'postgres') {
    const change = { status: 'planned' as const, cancellation: null, student_id }
    await service().db.updateTable('appointments').set(change).where('id', '=', id).execute()
    return request()
  }
  const client = new pg.Client({ connectionString: database.owner })
  await client.connect()
  try {
    await client.query('begin')
    const update = `update appointments set status = 'planned', cancellation = null, student_id = $1 where id = $2`
    await client.query(update, [student_id, id])
    const answer = request()
    await waitUntilBlocked(client, database)
    await client.query('commit')
    return await answer
  } finally {
    await client.end()
  }
}

/** Waits until a request waits for this client. In a cluster it waits on a worker. */
async function waitUntilBlocked(client: pg.Client, { isSpread }: PostgresDatabase): Promise<void> {
  const waiting = isSpread
    ? 'select from citus_lock_waits'
    : 'select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))'
  while ((await client.query(waiting)).rowCount === 0);
}
