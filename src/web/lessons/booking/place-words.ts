import type { Slot } from '../../../contract/slot.ts'
import { nameOf, type School } from '../../ui/school.tsx'
import { whenWords } from '../lesson-words.ts'

/** When a slot is, and with whom, unless that is who was asked for. */
export function placeWords(slot: Slot, instructorId: string, school: School): string {
  const when = whenWords(slot, school)
  const other = slot.instructor_id === instructorId ? undefined : school.instructor.get(slot.instructor_id)
  return other ? `${when} · ${nameOf(other)}` : when
}
