import { type RawBuilder, sql } from 'kysely'
import type { Resource } from '../../contract/change.ts'
import { LESSON_TEXTS, NOTED_FIELDS } from '../../domain/appointment-fields.ts'
import { TEXT_FIELD_KINDS as FREE_TEXT_KINDS, namesOfKind } from '../../domain/fields.ts'
import { STUDENT_FIELDS } from '../../domain/student-fields.ts'
import { listLessonNotes } from '../appointments/lesson-notes.ts'
import { RESOURCE_ROWS } from '../resources.ts'
import type { Transaction } from '../schema/tables.ts'

const DELETED = sql`deleted_at is not null`
const NEVER = sql`false`

export const FREE_TEXTS = [
  {
    resource: 'appointment',
    table: 'appointments',
    deleted: DELETED,
    columns: LESSON_TEXTS,
  },
  {
    resource: 'student',
    table: 'students',
    deleted: DELETED,
    columns: [...namesOfKind(STUDENT_FIELDS, ...FREE_TEXT_KINDS), 'hold_reason'],
  },
  { resource: 'enquiry', table: 'enquiries', deleted: NEVER, columns: ['message'] },
  ...RESOURCE_ROWS.filter(({ texts }) => texts).map(({ resource, table, texts = [], isPermanent }) => {
    return { resource, table, columns: texts, deleted: isPermanent ? NEVER : DELETED }
  }),
] as const satisfies readonly {
  resource: Resource
  table: string
  deleted: RawBuilder<unknown>
  columns: readonly string[]
}[]

/** The fields of the log that contain free text in list entries or in an object. */
export const LISTS = ['vacations', 'opening_balance', 'credits', 'absences', 'contacts', ...NOTED_FIELDS]

export const FREE_FIELDS = FREE_TEXTS.flatMap(({ columns }): readonly string[] => columns)

/** The list columns whose entries have a free text. */
export const ROW_LISTS = [
  { resource: 'student', table: 'students', column: 'opening_balance', text: 'source', deleted: DELETED },
  { resource: 'student', table: 'students', column: 'contacts', text: 'name', deleted: DELETED },
  { resource: 'enrolment', table: 'enrolments', column: 'credits', text: 'document', deleted: DELETED },
  { resource: 'instructor', table: 'instructors', column: 'absences', text: 'note', deleted: NEVER },
  ...RESOURCE_ROWS.flatMap(({ resource, table, listedTexts = {}, isPermanent }) =>
    Object.entries(listedTexts).map(([column, text]) => {
      return { resource, table, column, text, deleted: isPermanent ? NEVER : DELETED }
    }),
  ),
] as const

export type RowList = (typeof ROW_LISTS)[number]

/** A free text that mentions a student, current or from the log, with its resource and field. */
export type PersonalText = {
  readonly resource: string
  readonly resource_id: string
  readonly field: string
  readonly text: string
}

/** Lists the school's matching free texts, current and in the log, each once. */
export async function listPersonalTexts(
  db: Transaction,
  tenantId: string,
  pattern: string,
): Promise<readonly PersonalText[]> {
  const found: PersonalText[] = []
  for (const { resource, table, columns } of FREE_TEXTS) {
    for (const column of columns) {
      const { rows } = await sql<Pick<PersonalText, 'resource_id' | 'text'>>`
        select id as resource_id, ${sql.ref(column)} as text from ${sql.table(table)}
        where tenant_id = ${tenantId} and ${sql.ref(column)} ~* ${pattern} order by id`.execute(db)
      found.push(...rows.map((row) => ({ resource, field: column, ...row })))
    }
  }
  const vacations = await sql<Pick<PersonalText, 'resource_id' | 'text'>>`
    select instructor_id as resource_id, note as text from vacations
    where tenant_id = ${tenantId} and note ~* ${pattern} order by instructor_id, position`.execute(db)
  found.push(...vacations.rows.map((row) => ({ resource: 'instructor', field: 'vacations', ...row })))
  for (const list of ROW_LISTS) found.push(...(await listInRows(db, tenantId, list, pattern)))
  found.push(...(await listLessonNotes(db, tenantId, pattern)))
  for (const side of ['before', 'after']) found.push(...(await listLogged(db, tenantId, { side, pattern })))
  return [...new Map(found.map((one) => [`${one.resource_id} ${one.field} ${one.text}`, one])).values()]
}

async function listLogged(
  db: Transaction,
  tenantId: string,
  { side, pattern }: { readonly side: string; readonly pattern: string },
): Promise<readonly PersonalText[]> {
  const names = sql.join([...FREE_FIELDS, ...LISTS].map((name) => sql.lit(name)))
  const { rows } = await sql<PersonalText>`
    select resource, resource_id, field.key as field, field.value #>> '{}' as text
    from changes cross join lateral json_each(${sql.ref(side)}) field
    where tenant_id = ${tenantId} and field.key in (${names}) and (field.value #>> '{}') ~* ${pattern}
    order by at, id`.execute(db)
  return rows
}
async function listInRows(
  db: Transaction,
  tenantId: string,
  { resource, table, column, text }: RowList,
  pattern: string,
): Promise<readonly PersonalText[]> {
  const { rows } = await sql<Pick<PersonalText, 'resource_id' | 'text'>>`
    select id as resource_id, entry ->> ${sql.lit(text)} as text
    from ${sql.table(table)} cross join lateral json_array_elements(${sql.ref(column)}) entry
    where tenant_id = ${tenantId} and entry ->> ${sql.lit(text)} ~* ${pattern} order by id`.execute(db)
  return rows.map((row) => ({ resource, field: column, ...row }))
}
