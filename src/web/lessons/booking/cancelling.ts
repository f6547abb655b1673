import type { Appointment } from '../../../contract/appointment.ts'
import type { NewCancellation } from '../../../contract/cancellation.ts'
import { changeAppointment } from '../../data/appointments.ts'
import { cancelAppointment } from '../../data/cancellations.ts'
import { mergeWrite, queueOptimistically, Stale } from '../../data/write-queue.ts'
import type { Command, Done } from '../../ui/undo/steps.ts'
import { changeCommand, type LessonContext, placeOf } from '../lesson-actions.ts'
import { lessonText } from '../lesson-texts.ts'

const CANCELLED = { status: 'cancelled' } as const
const PLANNED = { status: 'planned' } as const

/** Returns a command that cancels a lesson, with party, reason and fee. A redo records the same moment again. */
export function cancelling(context: LessonContext, lesson: Appointment, given: NewCancellation): Command {
  return {
    run: async () => {
      const cancelled = await queueOptimistically(lesson, CANCELLED, (latest) =>
        mergeWrite(latest, { fields: ['status', 'start_at'] }, (seen) =>
          cancelAppointment({ seen, change: given }, context),
        ).catch((error) => recordedBefore(error, given)),
      )
      const { at = given.at } = cancelled.cancellation ?? {}
      return resultOf(context, cancelled, planningAgain(context, cancelled, { ...given, ...(at && { at }) }))
    },
    explain: changeCommand(context, lesson, CANCELLED).explain,
  }
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

/** Returns a command that plans a cancelled lesson again. */
function planningAgain(context: LessonContext, lesson: Appointment, given: NewCancellation): Command {
  return {
    run: async () => {
      const planned = await queueOptimistically(lesson, PLANNED, (latest) =>
        mergeWrite(latest, { fields: ['status'], change: PLANNED }, (seen) =>
          changeAppointment({ seen, change: PLANNED }, context),
        ),
      )
      return resultOf(context, planned, cancelling(context, planned, given))
    },
    explain: changeCommand(context, lesson, PLANNED).explain,
  }
}

function resultOf({ school, t }: LessonContext, lesson: Appointment, opposite: Command): Done {
  return { opposite, stands: lessonText(lesson, school, t), place: placeOf(lesson, school) }
}
