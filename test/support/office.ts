import type { TestService } from './app.ts'
import { Client } from './client.ts'
import { aUser, logIn, School, type User } from './factory.ts'
import { bearer } from './session.ts'

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
  const user: User = await aUser(service, tenantId)
  const visitor = new Client(service)
  const { token } = await logIn(visitor, user.email)
  const client = visitor.with(bearer(token))
  const { body } = await client.get('/bootstrap')
  const lessons = await client.get(`/appointments?from=${monday}&to=${monday}`)
  const codes = body.lessonTypes.map(({ code, id }: { code: string; id: string }) => [code, id])
  return {
    school: new School(tenantId, user, client, Object.fromEntries(codes)),
    instructors: idsOf(body.instructors),
    students: idsOf(body.students),
    lessons: idsOf(lessons.body),
  }
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id)
}
