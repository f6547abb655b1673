import type { ColumnType, Generated } from 'kysely'
import type { LessonType } from '../../contract/lesson-type.ts'
import type { PriorUnits, Requirement } from '../../domain/requirements.ts'

/** The columns that the database fills by default; `version` becomes the entity tag. */
export type TimestampColumns = { created_at: Generated<Date>; updated_at: Generated<Date> }
export type VersionedColumns = TimestampColumns & { version: Generated<number> }

type Text<Value> = null extends Value ? string | null : string

/** The table of a resource whose columns are named like its fields. `Json` columns are written as JSON text. */
export type ResourceTable<
  Resource,
  Json extends keyof Resource = never,
  Defaulted extends keyof Resource = never,
> = VersionedColumns & {
  [Name in Exclude<keyof Resource, keyof VersionedColumns>]: Name extends Json
    ? ColumnType<
        Resource[Name],
        Text<Resource[Name]> | (Name extends Defaulted ? undefined : never),
        Text<Resource[Name]>
      >
    : Name extends Defaulted
      ? Generated<Resource[Name]>
      : Resource[Name]
}

export type OfSchool = { tenant_id: string }
export type Deletable = { deleted_at: Date | null }

export type LessonTypeTable = OfSchool &
  ResourceTable<LessonType, never, 'needs_student' | 'only_in_the_dark' | 'hidden' | 'seats' | 'former_names'>

export type LicenseClassTemplateTable = TimestampColumns & {
  tenant_id: string
  id: string
  position: number
  code: string
  license_class: string
  name: string
  min_age: number | null
  law: string | null
  valid_from: string | null
  valid_to: string | null
  training_years: number | null
}

export type TemplateRequirementTable = {
  tenant_id: string
  license_class_template_id: string
  position: number
  lesson_type_id: string
  required_units: number
  min_one_block_units: number | null
  unit_minutes: number | null
  by_prior: ColumnType<readonly PriorUnits[], string, string>
  shared: boolean
  includes: ColumnType<readonly string[], string, string>
  also: ColumnType<Requirement['also'] | null, string | null, string | null>
  min_minutes: number | null
  not_by_trainee: boolean
}
