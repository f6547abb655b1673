import { expect } from 'vitest'
import type { TestService } from './app.ts'
import { CANARY } from './canary.ts'
import { aUser } from './factory.ts'
import { aLife, live, WORD } from './school-life.ts'
import { everythingOf, plantTwin } from './twin.ts'

/** Lets two schools live the same life, the second beside its twin: both are answered alike, and the twin stays as it was. */
export async function liveBesideTwin(service: TestService): Promise<void> {
  const [alone, beside] = [await aLife(service), await aLife(service)]
  const twin = await plantTwin(service, beside.school.tenantId, WORD)
  const { instructor: instructor_id } = beside.ids
  await aUser(service, twin, { role: 'instructor', instructor_id })
  const before = await everythingOf(service, twin)
  expect(JSON.stringify(before)).toContain(CANARY)
  const lines = live(service, beside)
  for await (const line of live(service, alone)) expect((await lines.next()).value).toBe(line)
  expect((await lines.next()).done).toBe(true)
  expect(await everythingOf(service, twin)).toEqual(before)
}
