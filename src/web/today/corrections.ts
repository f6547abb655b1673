import type { Appointment } from '../../contract/appointment.ts'
import { outliveLogout } from '../data/session.ts'
import { createStore } from '../data/store.ts'
import { isSame } from '../ui/changed-fields.ts'
import { actualTimes } from './outcome.ts'

/** The actual times in a lesson's form; empty while incomplete. */
export type CorrectedTimes = ReturnType<typeof actualTimes>

/** Times that are not saved yet, by lesson, kept while another lesson, day or page is shown. */
const corrections = createStore<ReadonlyMap<string, CorrectedTimes>>(new Map())

export const useCorrections = corrections.use

const isUnsaved = () => corrections.get().size > 0
outliveLogout(isUnsaved)
window.addEventListener('beforeunload', (event) => {
  if (isUnsaved()) event.preventDefault()
})

/** Stores typed times, unless they equal the lesson's. */
export function typeTimes(lesson: Appointment, times: CorrectedTimes): void {
  if (isSame(times, actualTimes(lesson))) discardTimes(lesson)
  else corrections.set(new Map(corrections.get()).set(lesson.id, times))
}

export function discardTimes({ id }: Pick<Appointment, 'id'>): void {
  const others = new Map(corrections.get())
  if (others.delete(id)) corrections.set(others)
}
