import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'

export const LicenseClassTemplateSchema = field.resource(
  {
    code: Type.String({ description: "The code from the country's pack; unique in the school." }),
    license_class: Type.String({ description: 'The licence class, such as `B`.' }),
    name: field.described(field.Name, "The name in the school's language."),
    min_age: field.described(
      field.nullable(Type.Number()),
      'The minimum age in years; null if the pack names none.',
    ),
    requirements: Type.Array(
      field.closed({
        lesson_type_id: field.described(field.Id, 'The lesson type that is required.'),
        code: Type.String({ description: "The lesson type's code." }),
        name: field.described(field.Name, "The lesson type's name."),
        required_units: Type.Integer({ description: 'The units that the class requires.' }),
        min_one_block_units: field.described(
          field.nullable(Type.Integer()),
          'The minimum units of one of the lessons; null if any length will do.',
        ),
      }),
      { description: 'The lessons that the class requires; empty if the pack names none.' },
    ),
  },
  {
    $id: 'LicenseClassTemplate',
    description: "The requirements of a licence class, from the country's pack.",
    examples: [example.licenseClassTemplate],
  },
)
export type LicenseClassTemplate = Static<typeof LicenseClassTemplateSchema>
