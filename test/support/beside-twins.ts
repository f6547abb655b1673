import { expect } from 'vitest'
import { aLife, WORD } from './a-life.ts'
import type { TestService } from './app.ts'
import { CANARY } from './canary.ts'
import { aUser } from './factory.ts'
import { live } from './school-life.ts'
import { everythingOf, plantTwin } from './twin.ts'

/** Lets two schools live the same life, the second between twins: both are answered alike, and the twins stay as they were. */
export async function liveBesideTwins(service: TestService): Promise<void> {
  const [alone, beside] = [await aLife(service), await aLife(service)]
  const { instructor: instructor_id } = beside.ids
  const twins: string[] = []
  for (const side of ['00000000', 'ffffffff'] as const) {
    const twin = await plantTwin(service, beside.school.tenantId, WORD, side)
    await aUser(service, twin, { role: 'instructor', instructor_id })
    twins.push(twin)
  }
  const everything = () => Promise.all(twins.map((twin) => everythingOf(service, twin)))
  const before = await everything()
  expect(JSON.stringify(before)).toContain(CANARY)
  const lines = live(service, beside)
  for await (const line of live(service, alone)) expect((await lines.next()).value).toBe(line)
  expect((await lines.next()).done).toBe(true)
  expect(await everything()).toEqual(before)
}
