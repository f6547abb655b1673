import { sql } from 'kysely'
import type { Appointment } from '../../contract/appointment.ts'
import type { Action, Resource } from '../../contract/change.ts'
import type { Student } from '../../contract/student.ts'
import { contactChannelOf } from '../../domain/contact-channel.ts'
import { isCounted } from '../../domain/counted.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { BY_PUSH, type ContactChannel, isReachable } from '../../domain/message-channels.ts'
import {
  CALLED_WITHOUT_ADDRESS,
  CALLED_WITHOUT_CONSENT,
  type ExpectedLesson,
  type NoticeKind,
} from '../../domain/messages.ts'
import { channelOfContact } from '../../domain/student-contacts.ts'
import { endAt, startAt } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

const CAUSES_AT_ONCE = 500

/** Returns the ids of schools with changes from which messages are still to be derived. */
export async function tenantsWithCauses(db: Database): Promise<readonly string[]> {
  const rows = await db.selectFrom('message_causes').select('tenant_id').distinct().execute()
  return rows.map(({ tenant_id }) => tenant_id)
}

export async function hasCauses(db: Database, tenantId: string): Promise<boolean> {
  const one = await db
    .selectFrom('message_causes')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}

type Fields = Readonly<Record<string, unknown>>

export type Cause = {
  readonly id: string
  readonly at: Date
  readonly resource: Resource
  readonly resource_id: string
  readonly action: Action
  readonly set_id: string
  readonly actor_kind: string
  readonly actor_id: string | null
  readonly before: Fields | null
  readonly after: Fields | null
}

/**
 * Deletes and returns a school's earliest causes in order, so that each is used once. A change of devices is one of the student.
 * Blocks others until the transaction ends.
 */
export async function claimCauses(db: Transaction, tenantId: string): Promise<readonly Cause[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('messages of ' || ${tenantId}::text, 0))`.execute(
    db,
  )
  const { rows: taken } = await sql<{ id: string; at: Date }>`delete from message_causes
    where tenant_id = ${tenantId} and id in (select id from message_causes where tenant_id = ${tenantId}
      order by at, id limit ${sql.lit(CAUSES_AT_ONCE)})
    returning id, at`.execute(db)
  if (taken.length === 0) return []
  const times = new Map(taken.map(({ id, at }) => [id, at]))
  const { rows } = await sql<Omit<Cause, 'at'>>`
    select id, case resource when 'student_link' then 'student' else resource end as resource,
      case resource when 'student_link' then (after ->> 'student_id')::uuid else resource_id end as resource_id,
      action, set_id, actor_kind, actor_id, before, after from changes
    where tenant_id = ${tenantId} and id = any(${[...times.keys()]}::uuid[])
      and (resource <> 'student_link' or after is not null)`.execute(db)
  const causes = rows.map((change) => ({ ...change, at: times.get(change.id) ?? new Date(0) }))
  return causes.toSorted(
    (one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1),
  )
}

export type MessageLessonRow = Pick<
  Appointment,
  | 'id'
  | 'start_at'
  | 'end_at'
  | 'instructor_id'
  | 'student_id'
  | 'attendees'
  | 'status'
  | 'series_id'
  | 'lesson_type_id'
  | 'pickup_place'
  | 'location_id'
  | 'cancellation'
> & { readonly deleted: boolean }

function lessons(db: Database, tenantId: string) {
  return db
    .selectFrom('appointments')
    .select(['id', startAt, endAt, 'instructor_id', 'student_id', 'attendees', 'status', 'series_id'])
    .select([
      'lesson_type_id',
      'pickup_place',
      'location_id',
      'cancellation',
      sql<boolean>`deleted_at is not null`.as('deleted'),
    ])
    .where('tenant_id', '=', tenantId)
}

export async function readLessons(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MessageLessonRow>> {
  if (ids.length === 0) return new Map()
  const rows = await lessons(db, tenantId).where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
  return new Map(rows.map((one) => [one.id, one]))
}

type ComingLessonFilter = {
  readonly from: LocalDate
  readonly student_ids?: readonly string[] | undefined
  readonly dates?: readonly LocalDate[]
}

/** Returns the planned lessons from a day on, in order; optionally only those of students, and on dates. */
export async function readComingLessons(
  db: Database,
  tenantId: string,
  { from, student_ids, dates }: ComingLessonFilter,
): Promise<readonly MessageLessonRow[]> {
  const seats = student_ids?.map((student_id) => JSON.stringify([{ student_id }]))
  return lessons(db, tenantId)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'planned')
    .where(sql<boolean>`start_at >= ${from}::timestamp`)
    .$if(student_ids !== undefined, (rest) =>
      rest.where(
        sql<boolean>`(student_id = any(${student_ids}::uuid[]) or attendees <> '[]' and attendees @> any(${seats}::jsonb[]))`,
      ),
    )
    .$if(dates !== undefined, (rest) => rest.where(sql<boolean>`start_at::date = any(${dates}::date[])`))
    .orderBy('appointments.start_at')
    .orderBy('id')
    .execute()
}

export async function readLessonsOn(
  db: Database,
  tenantId: string,
  { date, instructor_id }: { readonly date: string; readonly instructor_id?: string },
): Promise<readonly MessageLessonRow[]> {
  return lessons(db, tenantId)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'planned')
    .where(sql<boolean>`start_at >= ${date}::date and start_at < ${date}::date + 1`)
    .$if(instructor_id !== undefined, (rest) => rest.where('instructor_id', '=', instructor_id ?? ''))
    .orderBy('appointments.start_at')
    .orderBy('id')
    .execute()
}

/** Returns the lesson with its expected students (none if it is cancelled). */
export function expectedIn(
  lesson: Omit<MessageLessonRow, 'deleted' | 'series_id' | 'lesson_type_id'>,
): ExpectedLesson {
  const { id: appointment_id, start_at, end_at, instructor_id, student_id, attendees, status } = lesson
  const { pickup_place, location_id } = lesson
  const all = [student_id, ...attendees.map((one) => one.student_id)].filter((one) => one !== null)
  return {
    appointment_id,
    start_at,
    end_at,
    instructor_id,
    pickup_place,
    location_id,
    students: new Set(isCounted({ status }) ? all : []),
  }
}

/** A person with the current channel of their messages. `chosen` is the channel without a student's devices. */
export type MessageRecipient = ContactChannel & {
  readonly chosen: ContactChannel
  readonly id: string
  readonly first_name: string
  readonly last_name: string
  readonly agrees: boolean
  /** The news for which the school calls the person, who gets no messages. */
  readonly calledFor?: readonly NoticeKind[]
  /** The student's contacts who get messages, with their channels. */
  readonly contacts: readonly (ContactChannel & { readonly name: string })[]
  /** The student's language; null for the school's. */
  readonly language: Student['language']
}

const hasDevice = sql<boolean>`exists (select from push_subscriptions device
  where device.tenant_id = students.tenant_id and device.student_id = students.id)`.as('has_device')

const countryOfSchool = sql<string>`(select country from tenants where tenants.id = students.tenant_id)`.as(
  'country',
)

export async function readStudentRecipients(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MessageRecipient>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('students')
    .select([
      'id',
      'first_name',
      'last_name',
      'language',
      'contacts',
      'messages_consent',
      sql<boolean>`archived_at is null`.as('is_current'),
    ])
    .select(['message_channel', 'email', 'phone', hasDevice, countryOfSchool])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  return new Map(
    rows.map(({ has_device, country, message_channel, email, phone, contacts: all, ...row }) => {
      const { messages_consent, is_current, ...person } = row
      const chosen = contactChannelOf({ message_channel, email, phone }, country)
      const contacts = all
        .filter((one) => one.gets_messages)
        .map((one) => ({ name: one.name, ...channelOfContact(one, country) }))
      const agrees = messages_consent && is_current
      const present = has_device ? BY_PUSH : chosen
      const isReached = isReachable(present) || contacts.length > 0
      const calledFor = !is_current || (agrees && isReached) ? [] : calledForBy(agrees)
      return [person.id, { ...person, agrees, contacts, chosen, ...present, calledFor }]
    }),
  )
}

const calledForBy = (agrees: boolean) => (agrees ? CALLED_WITHOUT_ADDRESS : CALLED_WITHOUT_CONSENT)

/** Returns those of sets that merged two students or took a merge back: they deleted or restored one. */
export async function readMergingSets(
  db: Database,
  tenantId: string,
  setIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (setIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('changes')
    .select('set_id')
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`set_id = any(${setIds}::uuid[])`)
    .where('resource', '=', 'student')
    .where('action', 'in', ['deleted', 'restored'])
    .execute()
  return new Set(rows.map(({ set_id }) => set_id))
}

/** Returns the names and addresses of instructors by id. An instructor `agrees` to messages while active. */
export async function readInstructorRecipients(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MessageRecipient>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('instructors')
    .select(['id', 'first_name', 'last_name', 'email', 'active as agrees'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  return new Map(
    rows.map(({ email, ...one }) => {
      const chosen: ContactChannel = { channel: 'mail', address: email }
      return [one.id, { ...one, language: null, contacts: [], chosen, ...chosen }]
    }),
  )
}

/** Returns the preferred instructors of students by the student's id. */
export async function readPreferredInstructors(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('students')
    .select(['id', 'preferred_instructor_id as instructor'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.flatMap(({ id, instructor }) => (instructor ? [[id, instructor] as const] : [])))
}
