import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'

const BeforeAge = (test: string) =>
  field.described(
    field.nullable(Type.Integer()),
    `How many months before the minimum age the ${test} may be taken; null if the pack has no such rule, so that the age itself counts.`,
  )

export const LicenseClassTemplateSchema = field.resource(
  {
    code: Type.String({ description: "The code from the country's pack; unique in the school." }),
    license_class: Type.String({ description: 'The licence class, such as `B`.' }),
    name: field.described(field.Name, "The name in the school's language."),
    min_age: field.described(
      field.nullable(Type.Number()),
      'The minimum age in years; null if the pack names none.',
    ),
    law: field.described(field.nullable(Type.String()), 'The law that the figures follow; null if unknown.'),
    valid_from: field.described(
      field.nullable(field.LocalDate),
      'The first day on which the template is the law; null if it always was.',
    ),
    valid_to: field.described(
      field.nullable(field.LocalDate),
      'The last day on which it is; null if no end is known.',
    ),
    theory_before_age_months: BeforeAge('theory test'),
    practice_before_age_months: BeforeAge('practical test'),
    requirements: Type.Array(
      field.closed({
        lesson_type_id: field.described(field.Id, 'The lesson type that is required.'),
        code: Type.String({ description: "The lesson type's code." }),
        name: field.described(field.Name, "The lesson type's name."),
        required_units: Type.Integer({
          description: 'The units that a first licence of the class requires.',
        }),
        min_one_block_units: field.described(
          field.nullable(Type.Integer()),
          'The minimum units of one of the lessons; null if any length will do.',
        ),
        unit_minutes: field.described(
          field.nullable(Type.Integer()),
          "The minutes of a unit if the law has another length for these lessons; null if they are the school's `unit_minutes`.",
        ),
        by_prior: Type.Array(
          field.closed({
            classes: Type.Array(Type.String(), { description: 'One of these; `*` is any class.' }),
            required_units: Type.Integer({ description: 'The units that they then need.' }),
          }),
          {
            description:
              'The fewer units for students who hold another class. If several entries apply, the fewest units do.',
          },
        ),
        shared: Type.Boolean({
          description: 'Whether lessons count for every class that the student is trained for at the time.',
        }),
        includes: Type.Array(Type.String(), {
          description: 'The codes of lesson types whose units count toward this requirement, too.',
        }),
        also: field.described(
          field.nullable(
            field.closed({
              gearbox: Type.Enum(['manual', 'automatic'], { description: 'The gearbox of the vehicle.' }),
            }),
          ),
          'The drives that count, too, whatever their type; those with another gearbox do not count. Null if only the type matters.',
        ),
        min_minutes: field.described(
          field.nullable(Type.Integer()),
          'The minutes from which on a lesson counts as one unit; null if units are whole `unit_minutes`.',
        ),
        not_by_trainee: Type.Boolean({
          description: 'Whether lessons of instructors in training do not count.',
        }),
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
