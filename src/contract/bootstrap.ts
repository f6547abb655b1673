import { type Static, Type } from 'typebox'
import { UserSchema } from './auth.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { InstructorSchema } from './instructor.ts'
import { LessonTypeSchema } from './lesson-type.ts'
import { LicenseClassTemplateSchema } from './license-class-template.ts'
import { StudentSchema } from './student.ts'
import { TenantSchema } from './tenant.ts'

/** The data that a single-page front end needs first. */
export const BootstrapSchema = field.closed(
  {
    user: field.described(field.ref(UserSchema), 'The user of the request.'),
    tenant: field.described(field.ref(TenantSchema), 'The school.'),
    students: Type.Array(field.ref(StudentSchema), {
      description: 'The students, as `GET /students` lists them.',
    }),
    instructors: Type.Array(field.ref(InstructorSchema), {
      description: 'The instructors, as `GET /instructors` lists them.',
    }),
    lessonTypes: Type.Array(field.ref(LessonTypeSchema), {
      description: 'The lesson types, as `GET /lesson-types` lists them.',
    }),
    templates: Type.Array(field.ref(LicenseClassTemplateSchema), {
      description: 'The licence classes, as `GET /license-class-templates` lists them.',
    }),
  },
  {
    $id: 'Bootstrap',
    description: 'The data for the start of a front end.',
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
