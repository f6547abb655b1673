import { newId } from '../../contract/new-id.ts'
import type { DuplicateLine, ImportedStudent } from '../../contract/student-import.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { Database } from '../../db/schema/tables.ts'
import { insertStudents, readIdentities } from '../../db/students/students.ts'
import { firstSameAmong, type Identity } from '../../domain/same-person.ts'
import type { Steps } from '../../domain/steps.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { enrolNew } from '../trainings/choose-class.ts'
import type { ImportLine, PlanImport } from './import-lines.ts'

export const planStudents: PlanImport<ImportedStudent> = async ({ db, actor, tenant, lines, slicer }) => ({
  duplicates: await findDuplicateStudents(db, tenant, lines, slicer),
  write: async (wanted) => {
    const students = wanted.map(({ value }) => ({ ...value, id: newId() }))
    await insertStudents(
      db,
      actor,
      students.map(({ prior_classes: _, contacts: __, archived, ...student }) => ({
        ...student,
        archived_at: archived ? actor.now.toISOString() : null,
      })),
    )
    await enrolNew(db, actor, students)
  },
})

export async function findDuplicateStudents(
  db: Database,
  tenant: Tenant,
  students: readonly ImportLine<ImportedStudent>[],
  slicer: TimeSlicer,
): Promise<DuplicateLine[]> {
  return slicer.run(duplicatesIn(students, await readIdentities(db, tenant.id), tenant.country))
}

type StoredIdentity = Identity & { readonly id: string }

function* duplicatesIn(
  students: readonly ImportLine<ImportedStudent>[],
  identities: readonly StoredIdentity[],
  country: string,
): Steps<DuplicateLine[]> {
  const stored = yield* firstSameAmong(identities, country)
  const inFile = students.map(({ line, value }) => ({ line, ...value }))
  const described = yield* firstSameAmong(inFile, country)
  const duplicates: DuplicateLine[] = []
  for (const { line, value } of students) {
    yield
    const there = stored(value)
    const first = there ? undefined : described(value)
    const earlier = first && first.person.line < line ? first : undefined
    const same = there ?? earlier
    if (!same) continue
    const { first_name, last_name } = value
    const same_as = {
      student_id: there?.person.id ?? null,
      line: earlier?.person.line ?? null,
      first_name: same.person.first_name,
      last_name: same.person.last_name,
    }
    duplicates.push({ line, first_name, last_name, likeness: same.likeness, same_as })
  }
  return duplicates
}
