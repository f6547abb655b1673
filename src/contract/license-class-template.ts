import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'

/** The requirements of a licence class; read-only. */
export const LicenseClassTemplateSchema = field.resource(
  {
    code: Type.String(),
    license_class: Type.String(),
    name: field.Name,
    min_age: field.nullable(Type.Number()),
    requirements: Type.Array(
      field.closed({
        lesson_type_id: field.Id,
        code: Type.String({ description: "The lesson type's code." }),
        name: field.Name,
        required_units: Type.Integer(),
        min_one_block_units: field.nullable(Type.Integer()),
      }),
    ),
  },
  { $id: 'LicenseClassTemplate', examples: [example.licenseClassTemplate] },
)
export type LicenseClassTemplate = Static<typeof LicenseClassTemplateSchema>
