import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aDeletedStudent } from '../support/deleted-student.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { times } from '../support/races.ts'
import type { StoredLesson } from '../support/stored-lessons.ts'

const service = useService()
const LESSONS = 2_000
const JSON_LINES = 'application/x-ndjson'

let school: School
let student_id: string
let taken: Omit<StoredLesson, 'status'>

/** Creates a deleted student with thousands of coming lessons, and books another lesson at the time of one of them. */
beforeEach(async () => {
  school = await aSchool(service())
  const deleted = await aDeletedStudent(service(), school, LESSONS)
  student_id = deleted.student_id
  const { status: _, ...lesson } = deleted.lessons[1_500] as StoredLesson
  taken = { ...lesson, student_id: null }
  await school.lesson(taken)
})

const path = () => `/students/${student_id}/restore`

function restoring(signal?: AbortSignal): Promise<Response> {
  const headers = { ...school.client.headers, accept: JSON_LINES }
  return fetch(`${service().url}/api/v1${path()}`, { method: 'POST', headers, ...(signal && { signal }) })
}

const linesIn = (text: string): Row[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

type Result = {
  readonly student: Row
  readonly restored: readonly string[]
  readonly refused: readonly Row[]
}

function resultOf(lines: readonly Row[]): Result | undefined {
  return lines.at(-1)?.result as Result | undefined
}

async function planned(): Promise<Row[]> {
  return (await school.client.get(`/appointments?student_id=${student_id}&status=planned`)).body
}

it('a restore streams the number of checked lessons, and ends with the result', async () => {
  const response = await restoring()
  expect([response.status, response.headers.get('content-type')]).toEqual([200, JSON_LINES])
  const lines = linesIn(await response.text())
  expect(lines.slice(0, -1)).toEqual(
    times(LESSONS / 100, (at) => ({ progress: { checked: 100 * (at + 1), total: LESSONS } })),
  )
  const { student, restored, refused } = resultOf(lines) as Result
  expect(student.id).toBe(student_id)
  expect(refused.map(({ code, params }) => [code, (params as Row).start_at])).toEqual([
    ['instructor_busy', taken.start_at],
  ])
  expect(restored).toHaveLength(LESSONS - 1)
  expect(new Set((await planned()).map(({ id }) => id))).toEqual(new Set(restored))
})

it('a restore stores nothing if its client disconnects after the first line', async () => {
  const leaving = new AbortController()
  const response = await restoring(leaving.signal)
  const { value } = (await response.body?.getReader().read()) ?? {}
  const [first] = linesIn(new TextDecoder().decode(value))
  expect(first).toEqual({ progress: { checked: 100, total: LESSONS } })
  leaving.abort()
  // The second request waits for the locks of the first, and finds the student still deleted.
  const { status, body } = await school.client.post(path())
  expect([status, body.restored?.length, body.refused?.length]).toEqual([200, LESSONS - 1, 1])
  expect(await planned()).toHaveLength(LESSONS - 1)
})

it('two concurrent requests restore the student once', async () => {
  const responses = await Promise.all([restoring(), restoring()])
  const lines = await Promise.all(responses.map(async (response) => linesIn(await response.text())))
  // The other request waits for the first, and gets 503 if that takes too long.
  const [, ...others] = lines
    .map((one) => resultOf(one)?.restored.length ?? one.at(-1)?.code)
    .toSorted((a, b) => Number(b === LESSONS - 1) - Number(a === LESSONS - 1))
  expect([0, 'unavailable']).toContain(others[0])
  expect(await planned()).toHaveLength(LESSONS - 1)
  const { body: history } = await school.client.get(`/students/${student_id}/history`)
  expect(history.map(({ action }: Row) => action)).toEqual(['restored', 'deleted', 'created'])
})

it('a restore of an unknown student returns 404 not_found', async () => {
  const headers = { ...school.client.headers, accept: JSON_LINES }
  const unknown = `${service().url}/api/v1/students/${school.tenantId}/restore`
  const response = await fetch(unknown, { method: 'POST', headers })
  expect([response.status, ((await response.json()) as Row).code]).toEqual([404, 'not_found'])
})
