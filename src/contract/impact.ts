import { type Static, Type } from 'typebox'
import { AppointmentSchema } from './appointment.ts'
import { RefusalSchema } from './check.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'

/** The effect of a change of an instructor on the coming appointments. */
export const ImpactSchema = field.closed(
  {
    checked: Type.Integer({ minimum: 0, description: 'So many appointments were looked at.' }),
    appointments: Type.Array(
      field.closed({
        appointment: field.ref(AppointmentSchema),
        refusals: Type.Array(field.ref(RefusalSchema), {
          description: 'The rules that it would break and does not break today, in the order of booking.',
        }),
      }),
      { description: 'By start; only those that would break one.' },
    ),
  },
  {
    $id: 'Impact',
    examples: [
      { checked: 12, appointments: [{ appointment: example.appointment, refusals: [example.refusal] }] },
    ],
  },
)
export type Impact = Static<typeof ImpactSchema>
