import type { TestService } from './app.ts'
import { aUser, enter, type School } from './factory.ts'

/** A user of a school with a history, and the ids of its people and lessons. */
export type Office = {
  readonly school: School
  readonly instructors: readonly string[]
  readonly students: readonly string[]
  /** Future lessons. */
  readonly lessons: readonly string[]
}

/** Logs in at a school with a history. `monday` must be in a week with future lessons. */
export async function anOffice(service: TestService, monday: string): Promise<Office> {
  const { id: tenantId } = await service.db
    .selectFrom('tenants')
    .select('id')
    .where('name', '=', 'School 20')
    .executeTakeFirstOrThrow()
  const school = await enter(service, { tenantId, user: await aUser(service, tenantId) })
  const { body } = await school.client.get('/bootstrap')
  const lessons = await school.client.get(`/appointments?from=${monday}&to=${monday}`)
  return {
    school,
    instructors: idsOf(body.instructors),
    students: idsOf(body.students),
    lessons: idsOf(lessons.body),
  }
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id)
}
