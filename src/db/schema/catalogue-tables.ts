import type { Generated } from 'kysely'

/** The database writes the times; `version` makes the entity tag. */
export type Written = { created_at: Generated<Date>; updated_at: Generated<Date> }
export type Versioned = Written & { version: Generated<number> }

export type LessonTypeTable = Versioned & {
  tenant_id: string
  id: string
  position: number
  code: string
  name: string
  category: string
  requirement_key: string | null
  default_minutes: number
  color: string
  counts_toward_limits: boolean
  counts_toward_legal_minutes: boolean
  needs_student: Generated<boolean>
  only_in_the_dark: Generated<boolean>
  hidden: Generated<boolean>
  seats: Generated<number>
}

export type LicenseClassTemplateTable = Written & {
  tenant_id: string
  id: string
  position: number
  code: string
  license_class: string
  name: string
  min_age: number | null
}

export type TemplateRequirementTable = {
  tenant_id: string
  license_class_template_id: string
  position: number
  lesson_type_id: string
  required_units: number
  min_one_block_units: number | null
}
