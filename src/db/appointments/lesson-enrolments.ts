import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { Attendee } from '../../domain/group.ts'
import { localNow } from '../../domain/time-zone.ts'
import { type ChangeEntry, recordChanges } from '../log/changes.ts'
import { nextVersion } from '../schema/columns.ts'
import type { Transaction } from '../schema/tables.ts'
import { isAttendedBy, UNASSIGNED } from './attendees.ts'

export type Target = { readonly id: string; readonly license_class: string }

export type LessonMove = {
  readonly student_id: string
  readonly from: readonly (string | null)[]
  readonly to: Target | null
  readonly withPast?: boolean
}

type Lesson = {
  readonly id: string
  readonly version: number
  readonly enrolment_id: string | null
  readonly license_class: string | null
  readonly next_class: string | null
}

/** Moves a student's coming planned lessons and seats from enrolments to another and records it. Lock the calendar first. */
export async function moveLessons(db: Transaction, actor: Actor, move: LessonMove): Promise<void> {
  const lessons = await moveOwn(db, actor, move)
  const seats = await moveSeats(db, actor, move)
  await recordChanges(db, actor, [...lessons, ...seats])
}

async function moveOwn(db: Transaction, actor: Actor, move: LessonMove): Promise<readonly ChangeEntry[]> {
  const tenantId = actor.tenant.id
  const { student_id, from, to } = move
  const { rows } = await sql<Lesson>`
    select id, version, nullif(enrolment_id, ${UNASSIGNED}) as enrolment_id, license_class, next_class from (
      select *, case when lesson_type_id <> all(array(
        select type.id from lesson_types type where type.tenant_id = ${tenantId} and type.category = 'theory'))
        then ${to?.license_class ?? null}::text end as next_class
      from appointments where tenant_id = ${tenantId} and student_id = ${student_id} and deleted_at is null
        and ${isMoving(actor, move)}
        and (enrolment_id = any(${from}::uuid[]) or enrolment_id = ${UNASSIGNED}
          or ${from.includes(null)}::boolean and enrolment_id is null)
      for no key update) lesson
    where enrolment_id is distinct from ${to?.id ?? null}::uuid or license_class is distinct from next_class`.execute(
    db,
  )
  for (const [next_class, alike] of Map.groupBy(rows, (lesson) => lesson.next_class))
    await db
      .updateTable('appointments')
      .set({ enrolment_id: to?.id ?? null, license_class: next_class, ...nextVersion })
      .where('tenant_id', '=', tenantId)
      .where(sql<boolean>`id = any(${alike.map(({ id }) => id)}::uuid[])`)
      .execute()
  return rows.map(({ id, version, enrolment_id, license_class, next_class }) =>
    entryOf(
      id,
      { enrolment_id, license_class, version },
      { enrolment_id: to?.id ?? null, license_class: next_class, version: version + 1 },
    ),
  )
}

type Group = { readonly id: string; readonly version: number; readonly attendees: readonly Attendee[] }

async function moveSeats(db: Transaction, actor: Actor, move: LessonMove): Promise<readonly ChangeEntry[]> {
  const tenantId = actor.tenant.id
  const { student_id, from, to } = move
  const { rows } = await sql<Group>`
    select id, version, attendees from appointments
    where tenant_id = ${tenantId} and ${isAttendedBy(sql`${student_id}`)} and deleted_at is null
      and ${isMoving(actor, move)} order by id for no key update`.execute(db)
  const entries: ChangeEntry[] = []
  for (const { id, version, attendees } of rows) {
    const isSeat = (one: Attendee) =>
      one.student_id === student_id && (one.enrolment_id === undefined || from.includes(one.enrolment_id))
    if (!attendees.some(isSeat)) continue
    const next = attendees.map((one) => (isSeat(one) ? { ...one, enrolment_id: to?.id ?? null } : one))
    await db
      .updateTable('appointments')
      .set({ attendees: JSON.stringify(next), ...nextVersion })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
    entries.push(entryOf(id, { attendees, version }, { attendees: next, version: version + 1 }))
  }
  return entries
}

function isMoving({ now, tenant }: Actor, { withPast = false }: LessonMove): RawBuilder<boolean> {
  return sql<boolean>`(${withPast}::boolean or start_at > ${localNow(now, tenant.timezone)}::timestamp and status = 'planned')`
}

type Values = Readonly<Record<string, unknown>>

function entryOf(resource_id: string, before: Values, after: Values): ChangeEntry {
  const names = Object.keys(before).filter((name) => before[name] !== after[name])
  const side = (values: Values) => Object.fromEntries(names.map((name) => [name, values[name]]))
  return {
    resource: 'appointment',
    resource_id,
    action: 'changed',
    before: side(before),
    after: side(after),
  }
}
