import { ofSchool, plain, versioned, written } from './spelling.ts'

export const CATALOGUE = {
  lesson_types: {
    ...ofSchool,
    position: plain,
    code: plain,
    name: plain,
    category: plain,
    requirement_key: plain,
    default_minutes: plain,
    color: plain,
    counts_toward_limits: plain,
    counts_toward_legal_minutes: plain,
    needs_student: plain,
    only_in_the_dark: plain,
    hidden: plain,
    seats: plain,
    ...versioned,
  },
  license_class_templates: {
    ...ofSchool,
    position: plain,
    code: plain,
    license_class: plain,
    name: plain,
    min_age: plain,
    ...written,
  },
  template_requirements: {
    tenant_id: plain,
    license_class_template_id: plain,
    position: plain,
    lesson_type_id: plain,
    required_units: plain,
    min_one_block_units: plain,
  },
} as const
