import { type Static, Type } from 'typebox'
import { AppointmentSchema } from './appointment.ts'
import { RefusalSchema } from './check.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'

export const ImpactSchema = field.closed(
  {
    checked: Type.Integer({ minimum: 0, description: 'The number of appointments that were checked.' }),
    appointments: Type.Array(
      field.closed({
        appointment: field.described(field.ref(AppointmentSchema), 'The appointment as it is booked.'),
        refusals: Type.Array(field.ref(RefusalSchema), {
          description:
            'The rules that the appointment would break after the change and keeps now, in the order of booking.',
        }),
      }),
      { description: 'The appointments that would break a rule, by start.' },
    ),
  },
  {
    $id: 'Impact',
    description: 'The effect of a change on the upcoming appointments of an instructor.',
    examples: [
      { checked: 12, appointments: [{ appointment: example.appointment, refusals: [example.refusal] }] },
    ],
  },
)
export type Impact = Static<typeof ImpactSchema>
