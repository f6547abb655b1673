import { sql } from 'kysely'
import type { Tenant } from '../../contract/tenant.ts'
import {
  LESSON_TEXTS,
  type LessonTextName,
  NOTED_FIELDS,
  type NotedField,
} from '../../domain/appointment-fields.ts'
import { namesOfKind } from '../../domain/fields.ts'
import { type PersonalValues, personalDataPattern } from '../../domain/personal-data.ts'
import { STUDENT_FIELDS } from '../../domain/student-fields.ts'
import { isLessonOf } from '../appointments/attendees.ts'
import { noteIn } from '../appointments/lesson-notes.ts'
import { lessonsLeft } from '../log/changes.ts'
import type { Database } from '../schema/tables.ts'

/** A lesson that a student has left, and whether each of its texts is older than that. */
export type FormerLesson = { readonly id: string } & Readonly<Record<LessonTextName | NotedField, boolean>>

const TOLD = [...LESSON_TEXTS, ...NOTED_FIELDS] as const

/** The mentions of a student outside the student's own row and lessons. */
export type PersonalData = {
  readonly left: readonly FormerLesson[]
  /** The regular expression for the student's names and contact data; undefined if nothing could match. */
  readonly pattern: string | undefined
  readonly contactPattern: string | undefined
  readonly emails: readonly string[]
  readonly calendarIds: readonly string[]
}

/** Finds mentions of a student, including those of former names and contact data from the log. */
export async function findPersonalData(
  db: Database,
  tenant: Tenant,
  studentId: string,
): Promise<PersonalData> {
  const traits = await traitsOf(db, tenant.id, studentId)
  const pattern = personalDataPattern(traits, tenant.country)
  const contactPattern = personalDataPattern({ ...traits, first_name: [], last_name: [] }, tenant.country)
  const left = await findLeftLessons(db, tenant.id, studentId)
  const ids = left.map(({ id }) => id)
  const calendarIds = await calendarsOf(db, tenant.id, { studentId, ids, pattern })
  return { left, pattern, contactPattern, emails: traits.email.map((one) => one.toLowerCase()), calendarIds }
}

const TRAITS = namesOfKind(STUDENT_FIELDS, 'name', 'email', 'phone')
const EMAILS = namesOfKind(STUDENT_FIELDS, 'email')
const PHONES = namesOfKind(STUDENT_FIELDS, 'phone')

async function traitsOf(db: Database, tenantId: string, studentId: string): Promise<PersonalValues> {
  const { rows } = await sql<Record<(typeof TRAITS)[number], readonly string[]>>`
    with known as (
      select to_json(students) as fields from students where tenant_id = ${tenantId} and id = ${studentId}
      union all
      select unnest(array[before, after]) from changes
        where tenant_id = ${tenantId} and resource = 'student' and resource_id = ${studentId})
    select ${sql.join(TRAITS.map(valuesOf))} from known`.execute(db)
  const [traits] = rows
  if (!traits) throw new Error('no traits')
  const { first_name, last_name } = traits
  const valuesIn = (names: typeof TRAITS) => names.flatMap((name) => traits[name])
  return { first_name, last_name, email: valuesIn(EMAILS), phone: valuesIn(PHONES) }
}

function valuesOf(name: string) {
  const value = sql`fields ->> ${sql.lit(name)}`
  return sql`coalesce(array_agg(distinct ${value}) filter (where ${value} <> ''), '{}') as ${sql.ref(name)}`
}

/** Finds the lessons that the student has left. Texts written with or after that change are about somebody else. */
async function findLeftLessons(db: Database, tenantId: string, studentId: string): Promise<FormerLesson[]> {
  const isOlder = (field: string) => sql`
    ${sql.ref(`lesson.${field}`)} is not null and not exists (select from changes later
    where later.tenant_id = ${tenantId} and later.resource = 'appointment' and later.resource_id = lesson.id
      and later.action = 'changed' and later.at >= taken.at and (later.after -> ${sql.lit(field)}) is not null)
    as ${sql.ref(field)}`
  const { rows } = await sql<FormerLesson>`
    with taken as (${lessonsLeft(tenantId, studentId)})
    select lesson.id, ${sql.join(TOLD.map(isOlder))}
    from taken join appointments lesson on lesson.tenant_id = ${tenantId} and lesson.id = taken.id`.execute(
    db,
  )
  return rows.filter((lesson) => TOLD.some((name) => lesson[name]))
}

async function calendarsOf(
  db: Database,
  tenantId: string,
  lessons: { studentId: string; ids: readonly string[]; pattern: string | undefined },
): Promise<readonly string[]> {
  const { studentId, ids, pattern = null } = lessons
  const texts = [...LESSON_TEXTS.map((name) => sql.ref(name)), ...NOTED_FIELDS.map(noteIn)].map(
    (text) => sql`${text} ~* ${pattern}`,
  )
  const { rows } = await sql<{ id: string }>`
    select instructor_id as id from appointments where tenant_id = ${tenantId} and (${isLessonOf(sql`${studentId}`)}
      or id = any(${ids}::uuid[]) or ${sql.join(texts, sql` or `)})
    union select id from instructors where tenant_id = ${tenantId} and exists (
      select from json_array_elements(absences) entry where entry ->> 'note' ~* ${pattern})
    union select id from vehicles where tenant_id = ${tenantId} and (notes ~* ${pattern} or exists (
      select from json_array_elements(absences) entry where entry ->> 'note' ~* ${pattern}))
    union select instructor_id from vacations where tenant_id = ${tenantId} and note ~* ${pattern}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
