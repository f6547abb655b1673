import { sql } from 'kysely'
import type { Actor } from '../contract/actor.ts'
import type { Student } from '../contract/student.ts'
import { localNow } from '../domain/time-zone.ts'
import { recordChanges } from './log/changes.ts'
import { nextVersion } from './schema/columns.ts'
import type { Database, Transaction } from './schema/tables.ts'

type ComingLesson = { readonly id: string; readonly version: number; readonly license_class: string | null }

/** Sets the student's class on their future planned lessons (except theory, which has none) and records it. */
export async function giveClassToComing(
  db: Transaction,
  actor: Actor,
  { id: studentId, license_class_template_id }: Pick<Student, 'id' | 'license_class_template_id'>,
): Promise<void> {
  const tenantId = actor.tenant.id
  const license_class = await findClass(db, tenantId, license_class_template_id)
  const now = localNow(actor.now, actor.tenant.timezone)
  const { rows } = await sql<ComingLesson>`
    select id, version, license_class from appointments
    where tenant_id = ${tenantId} and student_id = ${studentId} and start_at > ${now}::timestamp
      and status = 'planned' and deleted_at is null and license_class is distinct from ${license_class}
      and lesson_type_id <> all(array(
        select id from lesson_types where tenant_id = ${tenantId} and category = 'theory'))
    for no key update`.execute(db)
  if (rows.length === 0) return
  await db
    .updateTable('appointments')
    .set({ license_class, ...nextVersion })
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${rows.map(({ id }) => id)}::uuid[])`)
    .execute()
  const entries = rows.map(({ id, version, license_class: former }) => ({
    resource: 'appointment' as const,
    resource_id: id,
    action: 'changed' as const,
    before: { license_class: former, version },
    after: { license_class, version: version + 1 },
  }))
  await recordChanges(db, actor, entries)
}

async function findClass(db: Database, tenantId: string, id: string | null): Promise<string | null> {
  if (id === null) return null
  const template = await db
    .selectFrom('license_class_templates')
    .select('license_class')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return template?.license_class ?? null
}
