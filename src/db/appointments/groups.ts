import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import { LESSON_TEXTS, NOTED_FIELDS } from '../../domain/appointment-fields.ts'
import { localNow } from '../../domain/time-zone.ts'
import { changeEntryAfter, recordChanges } from '../log/changes.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { withoutTexts } from './appointment-sets.ts'
import { isAttendedBy } from './attendees.ts'
import { withoutNotes } from './lesson-notes.ts'

/** Removes a student from planned groups in the future and records it; the groups stay planned. */
export async function leaveFutureGroups(db: Transaction, actor: Actor, studentId: string): Promise<void> {
  const now = localNow(actor.now, actor.tenant.timezone)
  const groups = await db
    .selectFrom('appointments')
    .select(['id', 'version', 'attendees'])
    .where('tenant_id', '=', actor.tenant.id)
    .where(isAttendedBy(sql`${studentId}`))
    .where(sql<boolean>`start_at > ${now}::timestamp`)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'planned')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const { id, version, attendees } of groups) {
    const left = attendees.filter(({ student_id }) => student_id !== studentId)
    await db
      .updateTable('appointments')
      .set({ attendees: JSON.stringify(left), version: version + 1, updated_at: sql<Date>`now()` })
      .where('tenant_id', '=', actor.tenant.id)
      .where('id', '=', id)
      .execute()
    await recordChanges(db, actor, [
      {
        resource: 'appointment',
        resource_id: id,
        action: 'changed',
        before: { attendees, version },
        after: { attendees: left, version: version + 1 },
      },
    ])
  }
}

/** Returns the ids of the groups from which the latest deletion has removed a student. */
export async function listGroupsLeft(
  db: Database,
  tenantId: string,
  studentId: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select left_group.resource_id as id from changes left_group
    where left_group.tenant_id = ${tenantId} and left_group.resource = 'appointment'
      and left_group.set_id = (select deletion.set_id from changes deletion
        where deletion.tenant_id = ${tenantId} and deletion.resource_id = ${studentId}
          and deletion.resource = 'student' and deletion.action = 'deleted'
        order by deletion.at desc, deletion.id desc limit 1)
      and left_group.before::jsonb -> 'attendees' @> jsonb_build_array(jsonb_build_object('student_id', ${studentId}::text))
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Removes a student from all groups and records it. Erases the texts of groups without other attendees. */
export async function eraseFromGroups(db: Transaction, actor: Actor, studentId: string): Promise<void> {
  const groups = await db
    .selectFrom('appointments')
    .select(['id', 'version', 'attendees', sql<boolean>`deleted_at is not null`.as('is_deleted')])
    .where('tenant_id', '=', actor.tenant.id)
    .where(isAttendedBy(sql`${studentId}`))
    .forNoKeyUpdate()
    .execute()
  for (const { id, version, is_deleted, ...group } of groups) {
    const attendees = group.attendees.filter(({ student_id }) => student_id !== studentId)
    const texts = attendees.length === 0 ? withoutTexts(actor, LESSON_TEXTS) : undefined
    const { title, ...noted } = await db
      .updateTable('appointments')
      .set({
        ...texts,
        ...(texts && withoutNotes()),
        attendees: JSON.stringify(attendees),
        version: is_deleted ? version : version + 1,
        updated_at: sql<Date>`now()`,
      })
      .where('tenant_id', '=', actor.tenant.id)
      .where('id', '=', id)
      .returning(['title', ...NOTED_FIELDS])
      .executeTakeFirstOrThrow()
    const fields = { attendees, ...(texts && { ...texts, title, ...noted }) }
    const written = { id, version: version + 1, fields }
    if (!is_deleted) await recordChanges(db, actor, [changeEntryAfter('appointment', written)])
  }
}
