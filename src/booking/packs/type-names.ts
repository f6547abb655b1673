import type { Tenant } from '../../contract/tenant.ts'
import type { LessonTypeName } from '../../db/school/lesson-types.ts'
import { lessonTypeNames } from './packs.ts'

type OfSchool = {
  readonly tenant: Pick<Tenant, 'country'>
  readonly types: ReadonlyMap<string, LessonTypeName>
}

/** Returns a function that names lesson types in a language, by the country's pack or else by the school. */
export function typeNamer({ tenant, types }: OfSchool, language: string): (id: string) => string {
  const names = lessonTypeNames(tenant.country, language)
  return (id) => {
    const type = types.get(id)
    return type ? (names.get(type.code) ?? type.name) : ''
  }
}
