import { type Static, Type } from 'typebox'
import { UserSchema } from './auth.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { InstructorSchema } from './instructor.ts'
import { LessonTypeSchema } from './lesson-type.ts'
import { LicenseClassTemplateSchema } from './license-class-template.ts'
import { StudentSchema } from './student.ts'
import { TenantSchema } from './tenant.ts'

/** The data that a single-page front end needs first, in one read. */
export const BootstrapSchema = field.closed(
  {
    user: field.ref(UserSchema),
    tenant: field.ref(TenantSchema),
    students: Type.Array(field.ref(StudentSchema)),
    instructors: Type.Array(field.ref(InstructorSchema)),
    lessonTypes: Type.Array(field.ref(LessonTypeSchema)),
    templates: Type.Array(field.ref(LicenseClassTemplateSchema)),
  },
  {
    $id: 'Bootstrap',
    examples: [
      {
        user: example.user,
        tenant: example.tenant,
        students: [example.student],
        instructors: [example.instructor],
        lessonTypes: [example.lessonType],
        templates: [example.licenseClassTemplate],
      },
    ],
  },
)
export type Bootstrap = Static<typeof BootstrapSchema>
