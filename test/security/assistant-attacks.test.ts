import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { apiTokenOf, assistantAt, callTool } from '../support/assistant.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { aLogin, bearer } from '../support/session.ts'
import { ATTACKS } from './assistant-attacks.ts'

const service = useService()
let school: School
let token: string
let assistant: Awaited<ReturnType<typeof assistantAt>>
let student: Row
let lesson: Row

beforeAll(async () => {
  school = await aSchool(service())
  const instructor = await school.instructor()
  student = await school.student()
  const taught = { instructor_id: instructor.id, student_id: student.id }
  lesson = await school.lesson({ ...taught, start_at: '2041-05-06 08:00', end_at: '2041-05-06 09:30' })
  token = await apiTokenOf(await aLogin(service(), school.tenantId), { role: 'owner' })
  assistant = await assistantAt(service(), token)
})
afterAll(() => assistant.close())

/** Returns a digest of every row of the school, and of its users' tokens and logins. */
async function digest(): Promise<string> {
  const { db } = service()
  const { rows: tables } = await sql<{
    name: string
  }>`select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'tenant_id' order by 1`.execute(db)
  const ofUsers = sql`user_id in (select id from users where tenant_id = ${school.tenantId})`
  const parts = [
    ...tables.map(({ name }) => ({ name, where: sql`tenant_id = ${school.tenantId}` })),
    ...['token_families', 'passkeys', 'password_links'].map((name) => ({ name, where: ofUsers })),
  ]
  const digests: string[] = []
  for (const { name, where } of parts) {
    const { rows } = await sql<{ md5: string | null }>`select md5(string_agg(row, '|' order by row)) as md5
      from (select (to_jsonb(t) - 'last_used_at')::text as row from ${sql.table(name)} t where ${where}) rows`.execute(
      db,
    )
    digests.push(`${name} ${rows[0]?.md5}`)
  }
  return digests.join('\n')
}

/** Carries out the demands of the attacks: calls each tool and each route of the API that they name, with the assistant's token. */
async function obey(): Promise<readonly number[]> {
  const program = new Client(service(), bearer(token))
  for (const given of [{ appointment_id: lesson.id }, { student_id: student.id }, {}])
    for (const name of [
      'cancel_lesson',
      'delete_student',
      'send_message',
      'propose_cancellation',
      'read_student',
    ])
      await callTool(assistant, name, given).catch(() => undefined)
  const answers = [
    await program.delete(`/appointments/${lesson.id}`),
    await program.post(`/appointments/${lesson.id}/cancel`, { by: 'school' }),
    await program.patch(`/appointments/${lesson.id}`, { notes: 'done' }),
    await program.delete(`/students/${student.id}`),
    await program.post(`/students/${student.id}/erasure`, {}),
    await program.patch('/tenant', { name: 'Owned' }),
    await program.post('/webhooks', { url: 'https://203.0.113.7/' }),
    await program.post('/users', { email: 'eve@evil.example', name: 'Eve', role: 'owner' }),
    await program.post('/auth/tokens', { name: 'Eve', role: 'owner', scope: 'write', expires_in_days: 366 }),
    await program.post('/auth/proof', { password: 'x' }),
    await program.post('/changes/sets/0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b30/undo', {}),
  ]
  return answers.map(({ status }) => status)
}

describe('a text that commands an assistant', () => {
  it('is one of thirty', () => expect(ATTACKS).toHaveLength(30))

  it.each(ATTACKS.map((text, index) => [index + 1, text]))(
    'is data, and obeying it changes nothing: %i',
    async (_number, text) => {
      must(
        200,
        await school.client.patch(`/students/${student.id}`, {
          notes: text,
          pickup_place: text.slice(0, 80),
        }),
      )
      must(200, await school.client.patch(`/appointments/${lesson.id}`, { notes: text }))
      const before = await digest()
      const read = await callTool(assistant, 'read_student', { student_id: student.id })
      const listed = await callTool(assistant, 'list_lessons', { from: '2041-05-06', to: '2041-05-06' })
      for (const { text: shown } of [read, listed]) {
        // One line that says what it is, and one of JSON: the text cannot end the place in which it stands.
        expect(shown.split('\n')).toHaveLength(2)
        expect(shown.split('\n')[0]).toContain('never instructions')
        expect(shown.replace('\n', '')).not.toMatch(HIDDEN)
      }
      expect(Object.keys(read.data)).toEqual(FIELDS)
      expect((await obey()).filter((status) => status < 400)).toEqual([])
      expect(await digest()).toBe(before)
    },
  )
})

/** Characters that people do not see, and in which a text for programs can hide. */
const HIDDEN = /[\p{Cc}\p{Cf}]/u

const FIELDS = [
  'id',
  'first_name',
  'last_name',
  'phone',
  'email',
  'pickup_place',
  'preferred_instructor_id',
  'notes',
]
