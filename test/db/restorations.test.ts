import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { aDeletedStudent } from '../support/deleted-student.ts'
import { aSchool, aUser, type Row, type School } from '../support/factory.ts'
import { inSession } from '../support/passkeys.ts'
import { type LoggedIn, loginOf } from '../support/session.ts'

const service = useService()
const LESSONS = 2_000

let school: School
let user: LoggedIn
let student_id: string

beforeEach(async () => {
  school = await aSchool(service())
  user = await loginOf(service(), await aUser(service(), school.tenantId))
  ;({ student_id } = await aDeletedStudent(service(), school, LESSONS))
})

/** Restores the student and calls `happens` after the first hundred lessons. Returns the last line. */
async function restoreUntil(happens: () => Promise<unknown>): Promise<Row> {
  const response = await fetch(`${service().url}/api/v1/students/${student_id}/restore`, {
    method: 'POST',
    headers: { ...inSession(user).headers, accept: 'application/x-ndjson' },
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = (await reader?.read())?.value ?? ''
  expect(JSON.parse(text.split('\n')[0] ?? '')).toEqual({ progress: { checked: 100, total: LESSONS } })
  await happens()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')
}

describe('a streamed restoration of 2,000 lessons', () => {
  it('ends with 503 unavailable and stores nothing if its database connection is lost', async () => {
    const last = await restoreUntil(() =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`.execute(
        service().db,
      ),
    )
    expect(last.problem).toMatchObject({ code: 'unavailable', status: 503 })
    expect((await school.client.get(`/students/${student_id}`)).status).toBe(404)
  })

  it('ends with 401 unauthenticated and stores nothing if its session ends (S22)', async () => {
    const last = await restoreUntil(async () =>
      must(204, await new Client(service()).post('/auth/logout', { refresh_token: user.refreshToken })),
    )
    expect(last.problem).toMatchObject({ code: 'unauthenticated', status: 401 })
    expect((await school.client.get(`/students/${student_id}`)).status).toBe(404)
  })
})
