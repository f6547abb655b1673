import { sql } from 'kysely'
import type { Learning } from '../../domain/warnings.ts'
import { lessonsOf, outcomeFor } from '../attendees.ts'
import type { Parameters } from '../connection/statement.ts'
import { lessonMinutes, openingOf, requirementObject } from '../progress.ts'

export type Learner = Learning & {
  readonly deleted: boolean
  readonly preferred_instructor_id: string | null
}

export type LearnerQuestion = {
  readonly tenant_id: string
  readonly student_id: string | undefined
  readonly lesson_type_id: string | null
  readonly except: string
}

/** Selects the student with the other lessons that count toward the same requirement. */
export function learnerObject({
  tenant_id,
  student_id,
  lesson_type_id,
  except,
}: Parameters<LearnerQuestion>) {
  const alike = sql`array(
    select other.id from lesson_types other, lesson_types asked
    where other.tenant_id = ${tenant_id} and asked.tenant_id = ${tenant_id} and asked.id = ${lesson_type_id}::uuid
      and (other.id = asked.id or other.requirement_key = asked.requirement_key))`
  return sql`(
    select json_build_object(
      'deleted', learner.deleted_at is not null,
      'preferred_instructor_id', learner.preferred_instructor_id,
      'license_class_template_id', learner.license_class_template_id,
      'license_class', template.license_class,
      'requirement', (
        select ${requirementObject} from template_requirements requirement
        join lesson_types named on named.tenant_id = ${tenant_id} and named.id = requirement.lesson_type_id
        where requirement.tenant_id = ${tenant_id} and license_class_template_id = template.id
          and requirement.lesson_type_id = any(${alike})
        order by requirement.position limit 1),
      'opening', ${openingOf(tenant_id)},
      'lessons', (
        select coalesce(json_agg(json_build_object('lesson_type_id', lesson_type_id,
          'requirement_key', taught.requirement_key, 'license_class', appointments.license_class,
          'status', ${outcomeFor(sql`learner.id`)}, 'minutes', ${lessonMinutes},
          'topic', case when taught.seats > 1 then topic end, 'count', 1))
          filter (where appointments.deleted_at is null), '[]')
        from ${lessonsOf(tenant_id, sql`learner.id`)} appointments
        join lesson_types taught on taught.tenant_id = ${tenant_id} and taught.id = appointments.lesson_type_id
        where lesson_type_id = any(${alike})
          and appointments.id <> ${except}))
    from students learner
    left join license_class_templates template
      on template.tenant_id = ${tenant_id} and template.id = learner.license_class_template_id
    where learner.tenant_id = ${tenant_id} and learner.id = ${student_id}::uuid)`
}
