import type { Appointment } from '../../contract/appointment.ts'
import { isSame } from '../ui/changed-fields.ts'
import { createDeviceDrafts } from './device-drafts.ts'
import { actualTimes } from './outcome.ts'

export type CorrectedTimes = ReturnType<typeof actualTimes>

export const corrections = createDeviceDrafts<CorrectedTimes>('corrections')

/** Stores typed times, unless they equal the lesson's. */
export function typeTimes(lesson: Appointment, times: CorrectedTimes): void {
  corrections.put(lesson.id, isSame(times, actualTimes(lesson)) ? undefined : times)
}

export function discardTimes({ id }: Pick<Appointment, 'id'>): void {
  if (corrections.get().has(id)) corrections.put(id, undefined)
}
