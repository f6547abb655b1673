import { sql } from 'kysely'
import type { Learning } from '../../domain/warnings.ts'
import { lessonsOf, outcomeFor } from '../appointments/attendees.ts'
import { isOwn, sharedTypesOf } from '../appointments/own-lessons.ts'
import type { Parameters } from '../connection/statement.ts'
import {
  actualMinutes,
  byTraineeOf,
  countsByGearbox,
  gearboxOf,
  heldClasses,
  lessonMinutes,
  openingOf,
  requirementObject,
} from '../students/progress.ts'

export type Learner = Learning & {
  readonly deleted: boolean
  readonly preferred_instructor_id: string | null
  readonly enrolment_id: string | null
}

const COUNTED = {
  lesson: 'appointments',
  given: sql.ref('given_enrolment'),
  enrolment: 'enrolment',
  template: 'template',
}

export type LearnerQuery = {
  readonly tenant_id: string
  readonly student_id: string | undefined
  readonly lesson_type_id: string | null
  readonly except: string
  readonly enrolment_id?: string | undefined
}

/** Selects the student with the other lessons that count toward the lesson type's requirement. */
export function learnerObject({
  tenant_id,
  student_id,
  lesson_type_id,
  except,
  enrolment_id,
}: Parameters<LearnerQuery>) {
  const alike = sql`array(
    select other.id from lesson_types other, lesson_types asked
    where other.tenant_id = ${tenant_id} and asked.tenant_id = ${tenant_id} and asked.id = ${lesson_type_id}::uuid
      and (other.id = asked.id or other.requirement_key = asked.requirement_key))`
  return sql`(
    select json_build_object(
      'deleted', learner.deleted_at is not null,
      'preferred_instructor_id', learner.preferred_instructor_id,
      'license_class_template_id', template.id,
      'enrolment_id', enrolment.id,
      'license_class_template_code', template.code,
      'license_class', template.license_class,
      'prior_classes', ${heldClasses(sql`enrolment.prior_classes`)},
      'min_age', template.min_age,
      'birth_date', to_char(learner.birth_date, 'YYYY-MM-DD'),
      'requirement', case when requirement.lesson_type_id is not null then ${requirementObject(tenant_id)} end,
      'opening', ${openingOf(tenant_id)},
      'lessons', (
        select coalesce(json_agg(json_build_object('lesson_type_id', lesson_type_id,
          'requirement_key', taught.requirement_key, 'is_own', ${isOwn(tenant_id, { ...COUNTED, sharedTypes: sql`shared_types` })},
          'status', ${outcomeFor(sql`learner.id`)}, 'minutes', ${lessonMinutes}, 'actual_minutes', ${actualMinutes},
          'topic', case when taught.seats > 1 then topic end, 'count', 1,
          'gearbox', case when requirement.also is not null and ${countsByGearbox} then ${gearboxOf(tenant_id, 'appointments')} end,
          'by_trainee', requirement.not_by_trainee and ${byTraineeOf(tenant_id, 'appointments')},
          'passed_on', case when (exam_result ->> 'passed')::boolean then to_char(start_at, 'YYYY-MM-DD') end))
          filter (where appointments.deleted_at is null), '[]')
        from ${lessonsOf(tenant_id, sql`learner.id`)} appointments
        join lesson_types taught on taught.tenant_id = ${tenant_id} and taught.id = appointments.lesson_type_id
        where appointments.id <> ${except} and (appointments.lesson_type_id = any(${alike})
          or requirement.also is not null and ${countsByGearbox}
          or requirement.includes <> '[]' and exists (
            select from lesson_types included
            where included.tenant_id = ${tenant_id} and requirement.includes ? included.code
              and (included.id = taught.id or included.requirement_key = taught.requirement_key)))))
    from students learner
    left join enrolments enrolment on enrolment.tenant_id = ${tenant_id} and enrolment.student_id = learner.id
      and enrolment.deleted_at is null and ${enrolment_id ? sql`enrolment.id = ${enrolment_id}::uuid` : sql`enrolment.is_current`}
    left join license_class_templates template on template.tenant_id = ${tenant_id}
      and template.id = ${enrolment_id ? sql`enrolment.template_id` : sql`coalesce(enrolment.template_id, learner.license_class_template_id)`}
    left join lateral (select ${sharedTypesOf(tenant_id, sql`template.id`)} as shared_types offset 0) shared on true
    left join lateral (
      select requirement.*, requirement_key from template_requirements requirement
      join lesson_types named on named.tenant_id = ${tenant_id} and named.id = requirement.lesson_type_id
      where requirement.tenant_id = ${tenant_id} and license_class_template_id = template.id
        and requirement.lesson_type_id = any(${alike})
      order by requirement.position limit 1) requirement on true
    where learner.tenant_id = ${tenant_id} and learner.id = ${student_id}::uuid)`
}
