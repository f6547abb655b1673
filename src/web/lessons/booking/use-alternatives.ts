import { useQuery } from '@tanstack/react-query'
import type { Slot } from '../../../contract/slot.ts'
import { checkOf } from '../../data/slots.ts'
import { useSchool } from '../../ui/school.tsx'
import { useIsStill } from '../../ui/use-is-still.ts'
import type { Draft } from '../verdict.ts'

/** Nobody has stopped typing before. */
const STILL_MS = 400

const NONE: readonly Slot[] = []

/** The nearest times for a draft that is refused, once it stands still; none while nobody knows. */
export function useAlternatives(draft: Draft): readonly Slot[] {
  const { id, instructor_id, student_id, lesson_type_id, start_at, end_at } = draft
  const { assumed } = useSchool()
  const times = {
    instructor_id,
    student_id,
    lesson_type_id,
    start_at,
    end_at,
    ...(assumed && { assumed }),
  }
  const isStill = useIsStill(JSON.stringify(draft), STILL_MS)
  const { data } = useQuery({
    ...checkOf(id === undefined ? times : { appointment_id: id, ...times }),
    enabled: isStill,
  })
  return data?.alternatives ?? NONE
}
