import { expect } from 'vitest'
import type { TestService } from './app.ts'
import type { Answer } from './client.ts'
import { fingerprint } from './corpus.ts'
import type { School } from './factory.ts'

/** Checks a practice drive or a change, and expects that nothing is written. */
export async function checked(service: TestService, school: School, fields: object): Promise<Answer> {
  const before = await fingerprint(service, school.tenantId)
  const isChange = 'appointment_id' in fields
  const whole = isChange ? fields : { lesson_type_id: school.lessonTypes.PRACTICE, ...fields }
  const answer = await school.client.post('/appointments/check', whole)
  expect(await fingerprint(service, school.tenantId)).toBe(before)
  return answer
}
