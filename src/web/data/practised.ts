import { queryOptions } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import { dateOf, type LocalDateTime } from '../../domain/local-time.ts'
import { conditionalGet } from './conditional-get.ts'

export type Practised = { readonly start_at: LocalDateTime; readonly practised: string }

type LaterLesson = Pick<Appointment, 'student_id' | 'start_at'>

/** Queries the notes of the student's last lesson with notes before this one; null if there is none. */
export function practisedBefore({ student_id, start_at }: LaterLesson) {
  return queryOptions({
    queryKey: ['practised', student_id, start_at],
    queryFn: async (context): Promise<Practised | null> => {
      const filter = new URLSearchParams({ student_id: student_id ?? '', to: dateOf(start_at) })
      const lessons = await conditionalGet<readonly Appointment[]>(`/appointments?${filter}`, context)
      return lessons.findLast(isBefore(start_at)) ?? null
    },
    enabled: student_id !== null,
  })
}

function isBefore(start: LocalDateTime) {
  return (lesson: Appointment): lesson is Appointment & Practised =>
    lesson.start_at < start && lesson.practised !== null
}
