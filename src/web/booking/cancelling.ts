import type { Appointment } from '../../contract/appointment.ts'
import type { NewCancellation } from '../../contract/cancellation.ts'
import { cancelAppointment } from '../data/cancellations.ts'
import { mergeWrite, Stale } from '../data/write-queue.ts'
import { type LessonContext, writeCommand } from '../lessons/lesson-commands.ts'
import type { Command } from '../ui/undo/steps.ts'

/** Returns a command that cancels a lesson, with party, reason and fee. */
export function cancelling(context: LessonContext, lesson: Appointment, given: NewCancellation): Command {
  return writeCommand(context, lesson, { status: 'cancelled' }, (latest, send) =>
    mergeWrite(latest, { fields: ['status', 'start_at'] }, (seen) =>
      send(seen, (to) => cancelAppointment({ seen, change: given }, to)),
    ).catch((error) => recordedBefore(error, given)),
  )
}

/** Returns the lesson if an earlier request has cancelled it as given and lost its response. Rethrows the error otherwise. */
function recordedBefore(
  error: unknown,
  { by, reason = null, note = null, charge }: NewCancellation,
): Appointment {
  if (!(error instanceof Stale)) throw error
  const { current } = error as Stale<Appointment>
  const { cancellation } = current
  const isAsGiven =
    cancellation?.by === by &&
    cancellation.reason === reason &&
    cancellation.note === note &&
    (charge ?? cancellation.charged) === cancellation.charged
  if (!isAsGiven) throw error
  return current
}
