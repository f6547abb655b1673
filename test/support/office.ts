import type { TestService } from './app.ts'
import { aUser, enter, type School } from './factory.ts'

/** A user of one of the schools that have a history, and what there is to ask about. */
export type Office = {
  readonly school: School
  readonly instructors: readonly string[]
  readonly students: readonly string[]
  /** Lessons to come. */
  readonly lessons: readonly string[]
}

/** Takes the Monday of a week with lessons to come. */
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
