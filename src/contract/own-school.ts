import { type Static, Type } from 'typebox'
import * as example from './examples-of-access.ts'
import * as field from './fields.ts'

export const OwnSchoolSchema = field.closed(
  {
    id: field.described(field.Id, 'The id to switch with.'),
    name: field.described(field.Name, "The school's name."),
    is_current: Type.Boolean({ description: 'Whether this session is at the school.' }),
    second_factor: Type.Boolean({
      description: 'Whether your login there asks for a passkey beside the password.',
    }),
  },
  {
    $id: 'OwnSchool',
    description: 'A school at which you are a user, with the address and the password of this login.',
    examples: [example.ownSchool],
  },
)
export type OwnSchool = Static<typeof OwnSchoolSchema>
