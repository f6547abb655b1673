import { afterAll, beforeAll, expect, it } from 'vitest'
import { openOwnDatabase, startService, type TestService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { Recorder } from '../support/plans.ts'

let service: TestService
let recorder: Recorder

beforeAll(async () => {
  const db = await openOwnDatabase()
  recorder = new Recorder(db.pool)
  service = await startService(db)
})

afterAll(async () => {
  await service.close()
  await service.db.destroy()
})

const STUDENTS = 120

it('undoing an import of 120 opening balances takes fewer than 120 statements', async () => {
  const { client } = await aSchool(service)
  const names = Array.from({ length: STUDENTS }, (_, index) => `Vogt${index};Lena`)
  const send = async (kind: string, lines: readonly string[]) => {
    const answer = await client.post(`/${kind}-imports`, {
      file: Buffer.from(lines.join('\n')).toString('base64'),
    })
    expect(must(200, answer).imported).toBe(STUDENTS)
    return answer.headers.get('x-request-id')
  }
  await send('student', ['Nachname;Vorname', ...names])
  const entries = names.map((name) => `${name};PRACTICE;3;2026-01-01;Nord`)
  const set = await send('opening-balance', ['Nachname;Vorname;Art;Einheiten;Stand;Quelle', ...entries])
  recorder.takeAll()
  const undone = must(200, await client.post(`/changes/sets/${set}/undo`))
  expect(undone.undone).toHaveLength(STUDENTS)
  expect(recorder.takeAll().length).toBeLessThan(STUDENTS)
  const [{ id }, ...others]: readonly [Row, ...Row[]] = must(200, await client.get('/students'))
  expect(others).toHaveLength(STUDENTS - 1)
  expect(must(200, await client.get(`/students/${id}/opening-balance`))).toEqual([])
  const again = must(200, await client.post(`/changes/sets/${undone.set_id}/undo`))
  expect(again.undone).toHaveLength(STUDENTS)
  expect(must(200, await client.get(`/students/${id}/opening-balance`))).toHaveLength(1)
})
