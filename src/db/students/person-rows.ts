import { type RawBuilder, sql } from 'kysely'
import { namesOf } from '../../domain/fields.ts'
import { STUDENT_FIELDS } from '../../domain/student-fields.ts'
import { lessonsOf } from '../appointments/attendees.ts'
import { endAt, startAt, utc, utcText } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

export type PersonRow = Readonly<Record<string, unknown>>

export const PERSON_SECTIONS = [
  'student',
  'enrolments',
  'ticks',
  'appointments',
  'signatures',
  'wishes',
  'availability',
  'enquiries',
  'offers',
  'messages',
  'links',
  'devices',
  'changes',
] as const
export type PersonSection = (typeof PERSON_SECTIONS)[number]

/** Returns the rows of a student in one section, deleted rows too, without secrets and without the names of other students. */
export async function readPersonRows(
  db: Database,
  tenantId: string,
  id: string,
  section: PersonSection,
): Promise<readonly PersonRow[]> {
  const { rows } = await SELECTIONS[section](sql`${tenantId}::uuid`, sql`${id}::uuid`).execute(db)
  return section === 'changes' ? withRoles(db, tenantId, rows) : rows
}

/** Replaces the ids of actors by their roles. A statement cannot: on a cluster it reads no users beside changes. */
async function withRoles(
  db: Database,
  tenantId: string,
  rows: readonly PersonRow[],
): Promise<readonly PersonRow[]> {
  const users = await db
    .selectFrom('users')
    .select(['id', 'role'])
    .where('tenant_id', '=', tenantId)
    .execute()
  const roles = new Map(users.map(({ id, role }) => [id, role]))
  return rows.map((row) => {
    const { kind, id } = row.actor as { readonly kind: string; readonly id: string | null }
    return { ...row, actor: { kind, role: roles.get(id ?? '') ?? null } }
  })
}

type Select = (tenant: RawBuilder<unknown>, student: RawBuilder<unknown>) => RawBuilder<PersonRow>

const DATES = sql`${utc('created_at')} as created_at, ${utc('deleted_at')} as deleted_at`
const PERSONAL = namesOf(STUDENT_FIELDS).filter((name) => !name.endsWith('_id'))

const nameIn = (tenant: RawBuilder<unknown>, column: string) => sql`(
  select first_name || ' ' || last_name from instructors where tenant_id = ${tenant} and id = ${sql.ref(column)})`
const typeIn = (tenant: RawBuilder<unknown>, column: string) => sql`(
  select name from lesson_types where tenant_id = ${tenant} and id = ${sql.ref(column)})`

const SELECTIONS: Readonly<Record<PersonSection, Select>> = {
  student: (tenant, student) => sql`
    select ${sql.join(PERSONAL.map((name) => sql.ref(name)))}, contacts, opening_balance, ${utc('archived_at')} as archived_at, restriction, hold_reason, hold_until,
      ${nameIn(tenant, 'students.preferred_instructor_id')} as preferred_instructor, ${DATES}
    from students where tenant_id = ${tenant} and id = ${student}`,
  enrolments: (tenant, student) => sql`
    select license_class, law, prior_classes, begins_on, ends_on, outcome, theory_ended_on, practice_ended_on, cooperation,
      credits, is_current, note, ${DATES}
    from enrolments where tenant_id = ${tenant} and student_id = ${student} order by begins_on, id`,
  ticks: (tenant, student) => sql`
    select (select license_class from enrolments where tenant_id = ${tenant} and id = ticks.enrolment_id) as license_class,
      kind, date, valid_until, note, ${DATES}
    from ticks where tenant_id = ${tenant} and student_id = ${student} order by date, id`,
  appointments: (tenant, student) => sql`
    select ${startAt.expression} as start_at, ${endAt.expression} as end_at, ${typeIn(tenant, 'lesson.lesson_type_id')} as lesson_type,
      status, ${nameIn(tenant, 'lesson.instructor_id')} as instructor, title, pickup_place, topic, practised,
      case when ${isAlone} then notes end as notes, case when ${isAlone} then cancellation end as cancellation,
      case when ${isAlone} then exam_result end as exam_result, no_show_fee_percent, ${utc('confirmed_at')} as confirmed_at,
      case when attendees <> '[]' then jsonb_array_length(attendees) end as participants,
      (select entry -> 'attended' from jsonb_array_elements(attendees) entry
        where entry ->> 'student_id' = ${student}::text) as attended, ${DATES}
    from ${lessonsOf(tenant, student)} lesson order by lesson.start_at, lesson.id`,
  signatures: (tenant, student) => sql`
    select "as", name, ${utcText(sql.ref('signature.at'))} as at, digest, appointment_id is not null as of_lesson,
      strokes is not null as is_drawn
    from signatures signature where tenant_id = ${tenant} and student_id = ${student} order by signature.at, id`,
  wishes: (tenant, student) => sql`
    select weekdays, time_from, time_to, minutes, ${typeIn(tenant, 'wishes.lesson_type_id')} as lesson_type,
      ${nameIn(tenant, 'wishes.instructor_id')} as instructor, "from", until, ${DATES}
    from wishes where tenant_id = ${tenant} and student_id = ${student} order by wishes.created_at, id`,
  availability: (tenant, student) => sql`
    select week_start, lessons, windows, ${DATES}
    from availability where tenant_id = ${tenant} and student_id = ${student} order by week_start, availability.created_at, id`,
  enquiries: (tenant, student) => sql`
    select first_name, last_name, phone, email, license_class, message, weekdays, time_from, time_to, language,
      ${utc('consent_at')} as consent_at, ${utc('created_at')} as created_at
    from enquiries where tenant_id = ${tenant} and student_id = ${student} order by enquiries.created_at, id`,
  offers: (tenant, student) => sql`
    select ${startAt.expression} as start_at, ${endAt.expression} as end_at, ${typeIn(tenant, 'offers.lesson_type_id')} as lesson_type,
      case when taken_by = ${student} then 'taken' when state = 'taken' then 'withdrawn' else state end as state,
      ${utcText(sql.ref('link.created_at'))} as created_at
    from offer_links link join offers on offers.tenant_id = ${tenant} and offers.id = link.offer_id
    where link.tenant_id = ${tenant} and link.student_id = ${student} order by offers.start_at, offers.id`,
  messages: (tenant, student) => sql`
    select kind, channel, contact_name, to_address, state, reason, ${utc('created_at')} as created_at, ${utc('finished_at')} as finished_at
    from messages where tenant_id = ${tenant} and student_id = ${student} order by messages.created_at, id`,
  links: (tenant, student) => sql`
    select ${utc('created_at')} as created_at, ${utc('used_at')} as used_at
    from links where tenant_id = ${tenant} and student_id = ${student} order by links.created_at, id`,
  devices: (tenant, student) => sql`
    select ${utc('created_at')} as created_at
    from push_subscriptions where tenant_id = ${tenant} and student_id = ${student} order by push_subscriptions.created_at`,
  changes: (tenant, student) => sql`
    select ${utcText(sql.ref('change.at'))} as at, resource, action,
      json_build_object('kind', actor_kind, 'id', case when actor_kind = 'user' then actor_id end) as actor,
      case when resource <> 'appointment' then before end as before, case when resource <> 'appointment' then after end as after
    from changes change where tenant_id = ${tenant} and (${isOwnChange(tenant, student)}) order by change.at, change.id`,
}

/** Whether the texts of a lesson are about one student. */
const isAlone = sql`jsonb_array_length(attendees) <= 1`

function isOwnChange(tenant: RawBuilder<unknown>, student: RawBuilder<unknown>) {
  const idsIn = (table: string) => sql`(select id from ${sql.table(table)}
    where tenant_id = ${tenant} and student_id = ${student})`
  return sql`resource_id = ${student} and resource = 'student'
    or resource = 'enrolment' and resource_id in ${idsIn('enrolments')}
    or resource = 'tick' and resource_id in ${idsIn('ticks')}
    or resource = 'signature' and resource_id in ${idsIn('signatures')}
    or resource = 'wish' and resource_id in ${idsIn('wishes')}
    or resource = 'availability' and resource_id in ${idsIn('availability')}
    or resource = 'appointment' and resource_id in ${idsIn('appointments')}`
}
