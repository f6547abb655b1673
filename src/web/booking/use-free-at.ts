import { useQuery } from '@tanstack/react-query'
import type { Slot } from '../../contract/slot.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { APPOINTMENT_MINUTES } from '../../domain/ranges.ts'
import { lessonsOfStudent } from '../data/appointments.ts'
import { freeAt } from '../data/slots.ts'
import { vehicleQueryFor } from '../lessons/lesson-vehicles.ts'
import { byFit } from '../lessons/teaching.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import { useSchool } from '../ui/school.tsx'
import { useIsStill } from '../ui/use-is-still.ts'

/** Milliseconds: longer than a pause in typing. */
const STILL_MS = 400

const NOBODY: readonly Slot[] = []

/** Returns the draft's time with each free instructor; undefined until known, or unless `isAsked`. */
export function useFreeAt(draft: LessonDraft, isAsked: boolean): readonly Slot[] | undefined {
  const school = useSchool()
  const { id, student_id, lesson_type_id, start_at, end_at } = draft
  const time = {
    student_id,
    lesson_type_id,
    start_at,
    end_at,
    ...vehicleQueryFor(draft, school),
    ...(id !== undefined && { appointment_id: id }),
  }
  const isStill = useIsStill(JSON.stringify(time), STILL_MS)
  const isTime = start_at !== '' && lesson_type_id !== '' && isLengthPossible(time)
  const { data, isError } = useQuery({
    ...freeAt(time, school.assumed),
    enabled: isAsked && isStill && isTime,
  })
  if (!isAsked || !isTime) return undefined
  return isError ? NOBODY : data
}

function isLengthPossible(time: Pick<LessonDraft, 'start_at' | 'end_at'>): boolean {
  const minutes = minutesOf(intervalOf(time))
  return minutes >= APPOINTMENT_MINUTES.min && minutes <= APPOINTMENT_MINUTES.max
}

/** Returns the draft's time with other instructors, the student's own first; empty if its instructor is free, undefined until known. */
export function useSameTime(draft: LessonDraft, isAsked: boolean): readonly Slot[] | undefined {
  const school = useSchool()
  const { instructor_id, student_id } = draft
  const free = useFreeAt(draft, isAsked)
  const isOffered = free !== undefined && free.length > 0 && student_id !== null
  const { data: lessons, isFetching } = useQuery({
    ...lessonsOfStudent(student_id ?? ''),
    enabled: isOffered,
  })
  if (!free || (isOffered && !lessons && isFetching)) return undefined
  if (free.some((slot) => slot.instructor_id === instructor_id)) return NOBODY
  const taught = new Set(lessons?.map((lesson) => lesson.instructor_id))
  const suited = byFit(school.instructors, student_id, school)
  const rankOf = ({ instructor_id: id }: Slot) => {
    const at = suited.findIndex(({ instructor }) => instructor.id === id)
    return suited[at]?.fit === 'preferred' || taught.has(id) ? at : at + suited.length
  }
  return free.toSorted((a, b) => rankOf(a) - rankOf(b))
}
