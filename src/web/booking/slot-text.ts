import type { Slot } from '../../contract/slot.ts'
import { whenText } from '../lessons/lesson-texts.ts'
import { nameOf, type School } from '../ui/school.tsx'

/** Returns a slot's time, and its instructor unless it is the requested one. */
export function slotText(slot: Slot, instructorId: string, school: School): string {
  const when = whenText(slot, school)
  const other = slot.instructor_id === instructorId ? undefined : school.instructor.get(slot.instructor_id)
  return other ? `${when} · ${nameOf(other)}` : when
}
