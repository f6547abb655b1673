import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { asOwner } from '../support/as-owner.ts'
import { must } from '../support/client.ts'
import { findingsIn } from '../support/doctor.ts'
import { aSchool, enter, type Row } from '../support/factory.ts'
import { placesOf } from '../support/places-of-words.ts'
import { aCanary, plantEverywhere } from '../support/planted-student.ts'

const service = useService()
/** Long after all planted lessons. */
const LATER = '2099-06-01'

// `erasure` searches the same places after the same erasure, asked for by an owner.
it('a run leaves a student in no column of any table, response, search or export', {
  tags: 'long',
}, async () => {
  const school = await aSchool(service())
  const canary = await aCanary(school)
  const { friend } = await plantEverywhere(school, canary)
  must(200, await school.client.put(`/students/${friend}/hold`, { reason: `Quarrel with ${canary.name}` }))
  expect(await placesOf(service(), canary.words)).toContain('students.hold_reason')
  for (const { id, outcome } of must(200, await school.client.get(`/students/${canary.id}/enrolments`)))
    if (outcome === null) must(200, await school.client.patch(`/enrolments/${id}`, { outcome: 'stopped' }))
  service().setClock(new Date(`${LATER}T09:00:00Z`))
  const { client } = await enter(service(), school)
  const { due, digest } = must(200, await client.get('/retention'))
  expect(due.map(({ student_id }: Row) => student_id)).toContain(canary.id)
  const run = must(200, await client.post('/retention/runs', { digest, agreed: true }))
  expect(run.erased).toContain(canary.id)
  expect(run.skipped).toEqual([])
  expect(await placesOf(service(), canary.words)).toEqual([])
  for (const path of [
    '/students',
    '/changes?limit=1000',
    '/exports/students.csv',
    '/retention',
    '/retention/runs',
  ]) {
    const { text } = await client.get(path)
    expect([path, canary.words.filter((word) => text.includes(word))]).toEqual([path, []])
  }
  expect(must(200, await client.get(`/students/${friend}/hold`)).reason).toBe('Quarrel with …')
  expect(await asOwner(service(), (owner) => findingsIn(owner, school.tenantId))).toEqual([])
})
