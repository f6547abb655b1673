// @module-tag embedded: locks of rows

import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { aDrive, digestFor, sign } from '../support/signing.ts'

const service = useService()
const ROUNDS = 12

it('a lesson that is signed while it is changed has a valid signature only of a text that was seen', async () => {
  const school = await aSchool(service())
  const [instructor, student] = [await school.instructor(), await school.student()]
  const outcomes = new Set<string>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const day = `2026-04-${String(round + 1).padStart(2, '0')}`
    const lesson = await aDrive(
      school,
      { instructor_id: instructor.id, student_id: student.id },
      { start_at: `${day} 08:00`, end_at: `${day} 09:30` },
    )
    const seen = await digestFor(lesson)
    const path = `/appointments/${lesson.id}`
    const change = () => school.client.patch(path, { end_at: `${day} 09:15` })
    const both: (() => Promise<Answer>)[] = [() => sign(school, lesson), change]
    const order = round % 2 === 0 ? both : both.toReversed()
    const answers = await Promise.all(order.map((send) => send()))
    for (const { status } of answers) outcomes.add(String(status))
    const current = await digestFor(must(200, await school.client.get(path)))
    for (const one of must(200, await school.client.get(`${path}/signatures`)) as Row[]) {
      expect(one.digest).toBe(seen)
      expect(one.state).toBe(one.digest === current ? 'valid' : 'outdated')
      expect(one.state).toBe('outdated')
    }
  }
  expect(outcomes).toContain('200')
})
