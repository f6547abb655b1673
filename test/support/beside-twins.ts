import { expect } from 'vitest'
import { aLife, type Life, WORD } from './a-life.ts'
import type { TestService } from './app.ts'
import { CANARY } from './canary.ts'
import { aUser } from './factory.ts'
import { plantIdentity } from './planted-provider.ts'
import { live } from './school-life.ts'
import { everythingOf, plantTwin } from './twin.ts'

/** Sends the same requests in two schools, the second with twins. Expects equal responses and unchanged twins. */
export async function liveBesideTwins(service: TestService): Promise<void> {
  const [alone, beside] = [await aLife(service), await aLife(service)]
  const { instructor: instructor_id } = beside.ids
  const twins: string[] = []
  for (const side of ['00000000', 'ffffffff'] as const) {
    const twin = await plantTwin(service, beside.school.tenantId, WORD, side)
    const { id } = await aUser(service, twin, { role: 'instructor', instructor_id })
    await plantIdentity(service, twin, id)
    await tieTogether(service, twin, beside)
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

/** Makes the twin use a location that the school does not use, and its unrelated student prefer the instructor. */
async function tieTogether({ db }: TestService, twin: string, { ids }: Life): Promise<void> {
  const own = db.updateTable('instructors').set({ location_id: ids.location })
  await own.where('tenant_id', '=', twin).where('id', '=', ids.idle).execute()
  const known = db.updateTable('students').set({ preferred_instructor_id: ids.instructor, deleted_at: null })
  await known.where('tenant_id', '=', twin).where('id', '=', ids.unrelated).execute()
}
