import { LessonTypeSchema } from '../contract/lesson-type.ts'
import { ofSchool, plain, plainOf, versioned, written } from './spelling.ts'

export const CATALOGUE = {
  lesson_types: { ...ofSchool, ...plainOf(LessonTypeSchema), ...versioned },
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
