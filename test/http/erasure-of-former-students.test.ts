import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { asOwner } from '../support/as-owner.ts'
import { must } from '../support/client.ts'
import { findingsIn } from '../support/doctor.ts'
import { erase } from '../support/erasure.ts'
import { aSchool } from '../support/factory.ts'
import { placesOf } from '../support/places-of-words.ts'

const service = useService()

const TITLE = 'a lesson of %s, in turn, keeps only texts about the last when %s are erased'

// The shortest order covers the path: each erasure searches every table for the texts.
it.each([['Ada, Ben, Cleo', 'Ada, Ben']])(TITLE, keepsTextsOfTheLast)

it.each([
  ['Ada, Ben, Ada, Cleo', 'Ada, Ben'],
  ['Ada, Ben, Cleo', 'Ben, Ada'],
  ['Ada, Ben, Ada, Cleo', 'Ben, Ada'],
  ['Ben, Ada, Ben, Cleo', 'Ada, Ben'],
])(TITLE, { tags: 'long' }, keepsTextsOfTheLast)

async function keepsTextsOfTheLast(turn: string, erased: string): Promise<void> {
  const school = await aSchool(service())
  const { client, tenantId } = school
  const idOf: Record<string, string> = {}
  for (const first_name of ['Ada', 'Ben', 'Cleo'])
    idOf[first_name] = (await school.student({ first_name })).id
  const { id: instructor_id } = await school.instructor()
  const times = { start_at: '2032-05-04 08:00', end_at: '2032-05-04 09:30' }
  const { id } = await school.lesson({ instructor_id, ...times })
  const change = async (fields: object) => must(200, await client.patch(`/appointments/${id}`, fields))
  const secrets: string[] = []
  for (const name of turn.split(', ')) {
    await change({ student_id: idOf[name], notes: null })
    if (name === 'Cleo') break
    const [practised = '', notes = ''] = [randomUUID(), randomUUID()].map((word) => word.replaceAll('-', ''))
    await change({ practised })
    await change({ notes })
    secrets.push(practised, notes)
  }
  await change({ notes: 'bring the glasses' })
  for (const name of erased.split(', ')) {
    must(204, await client.delete(`/students/${idOf[name]}`))
    expect(await erase(service(), tenantId, idOf[name] ?? '')).toBe('erased')
    expect(await asOwner(service(), (owner) => findingsIn(owner, tenantId))).toEqual([])
  }
  expect((await client.get(`/appointments/${id}`)).body).toMatchObject({
    student_id: idOf.Cleo,
    practised: null,
    notes: 'bring the glasses',
  })
  expect(await placesOf(service(), secrets)).toEqual([])
}
