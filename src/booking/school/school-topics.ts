import type { Tenant } from '../../contract/tenant.ts'
import type { Topic } from '../../contract/topic.ts'
import type { Database } from '../../db/schema/tables.ts'
import { readLessonTypeNames } from '../../db/school/lesson-types.ts'
import { topicsOf } from '../packs/packs.ts'

export async function topicsIn(
  db: Database,
  { id, country }: Pick<Tenant, 'id' | 'country'>,
): Promise<readonly Topic[]> {
  const plan = topicsOf(country)
  if (plan.length === 0) return []
  const codes = [...(await readLessonTypeNames(db, id))].map(([id, { code }]) => [code, id] as const)
  const idOf = new Map(codes)
  return plan.flatMap(({ lesson_type, topic, name, license_classes }) => {
    const lesson_type_id = idOf.get(lesson_type)
    return lesson_type_id === undefined
      ? []
      : [{ lesson_type_id, topic, name, license_classes: [...license_classes] }]
  })
}
