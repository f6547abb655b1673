import { type RawBuilder, sql } from 'kysely'
import { UNASSIGNED } from './attendees.ts'

/** Selects the ids of lesson types that count toward a shared requirement of the template, such as basic theory. */
export function sharedTypesOf(tenantId: RawBuilder<string>, templateId: RawBuilder<unknown>) {
  return sql<readonly string[]>`array(
    select alike.id from template_requirements requirement
    join lesson_types named on named.tenant_id = ${tenantId} and named.id = requirement.lesson_type_id
    join lesson_types alike on alike.tenant_id = ${tenantId}
      and (alike.id = named.id or alike.requirement_key = named.requirement_key)
    where requirement.tenant_id = ${tenantId} and requirement.license_class_template_id = ${templateId} and requirement.shared)`
}

type Rows = {
  readonly lesson: string
  readonly given?: RawBuilder<unknown>
  readonly enrolment: string
  readonly template: string
  readonly sharedTypes?: RawBuilder<unknown>
}

/** Whether a lesson counts toward an enrolment: it was for it or, if unassigned, for its class, or is theory that the law shares. */
export function isOwn(
  tenantId: RawBuilder<string>,
  { lesson, given = sql.ref(`${lesson}.enrolment_id`), enrolment, template, sharedTypes }: Rows,
): RawBuilder<boolean> {
  const of = (alias: string, column: string) => sql.ref(`${alias}.${column}`)
  const day = sql`${of(lesson, 'start_at')}::date`
  const years = of(template, 'training_years')
  const begins = of(enrolment, 'begins_on')
  const isShared = sharedTypes
    ? sql`or ${of(lesson, 'lesson_type_id')} = any(${sharedTypes}) and (
        daterange(${begins}, ${of(enrolment, 'ends_on')}, '[]') @> ${day}
        or ${day} < ${begins} and (${years} is null or ${begins} <= ${day} + make_interval(years => ${years}))
          and not exists (select from enrolments earlier where earlier.tenant_id = ${tenantId}
            and earlier.id = ${given} and earlier.outcome = 'passed'))`
    : sql``
  const [own, known] = [of(lesson, 'license_class'), of(template, 'license_class')]
  return sql<boolean>`((${given} = ${of(enrolment, 'id')}
    or ${given} = ${UNASSIGNED} and (${own} is null or ${own} = ${known}) ${isShared}) is true)`
}
