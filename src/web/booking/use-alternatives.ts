import { useQuery } from '@tanstack/react-query'
import type { Slot } from '../../contract/slot.ts'
import { checkOf } from '../data/slots.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import { useSchool } from '../ui/school.tsx'
import { useIsStill } from '../ui/use-is-still.ts'

/** Milliseconds: longer than a pause in typing. */
const STILL_MS = 400

const NONE: readonly Slot[] = []

/** Returns the nearest times for a refused draft once it stops changing; empty while unknown. */
export function useAlternatives(draft: LessonDraft): readonly Slot[] {
  const {
    id,
    instructor_id,
    student_id,
    lesson_type_id,
    start_at,
    end_at,
    attendees,
    vehicle_ids = [],
  } = draft
  const { assumed } = useSchool()
  const times = {
    instructor_id,
    student_id,
    lesson_type_id,
    start_at,
    end_at,
    ...(attendees && { attendees }),
    ...((id !== undefined || vehicle_ids.length > 0) && { vehicle_ids }),
    ...(assumed && { assumed }),
  }
  const isStill = useIsStill(JSON.stringify(draft), STILL_MS)
  const { data } = useQuery({
    ...checkOf(id === undefined ? times : { appointment_id: id, ...times }),
    enabled: isStill,
  })
  return data?.alternatives ?? NONE
}
