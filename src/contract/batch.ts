import { type Static, Type } from 'typebox'
import { MAX_LESSONS_OF_A_BATCH } from '../domain/ranges.ts'
import { AppointmentSchema, appointmentFaultsFor, NewAppointmentSchema } from './appointment.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

export const NewBatchSchema = field.closed(
  {
    appointments: Type.Array(field.ref(NewAppointmentSchema), {
      minItems: 1,
      maxItems: MAX_LESSONS_OF_A_BATCH,
      description: 'The appointments to book. Each is checked together with those before it.',
    }),
  },
  { $id: 'NewBatch', description: 'The appointments to book, all or none.', examples: [example.newBatch] },
)
export type NewBatch = Static<typeof NewBatchSchema>

export const BatchSchema = field.closed(
  {
    appointments: Type.Array(field.ref(AppointmentSchema), {
      description: 'The appointments in the order of the request.',
    }),
  },
  { $id: 'Batch', description: 'The booked appointments.', examples: [example.batch] },
)
export type Batch = Static<typeof BatchSchema>

/** Returns the faults that no schema can express. */
export function batchFaultsFor({ appointments }: Partial<NewBatch>, timezone: string): readonly Fault[] {
  return (appointments ?? []).flatMap((one, index) =>
    appointmentFaultsFor(one, timezone).map((fault) => ({
      ...fault,
      pointer: `/appointments/${index}${fault.pointer}`,
    })),
  )
}
