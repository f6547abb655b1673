import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { lessonsOfStudent } from '../api/appointments.ts'
import { classOf, type Needed, neededFor } from '../lessons/teaching.ts'
import { useSchool } from '../ui/school.tsx'
import type { BookingStart, LessonForm } from './form.ts'

const NOTHING: readonly Needed[] = []

export type Due = ReturnType<typeof useDue>

/** What is due for the student of a new booking, and whether the form has followed. A lesson that was booked before stays as it is. */
export function useDue(start: BookingStart, { student_id }: LessonForm) {
  const isNew = !start.like && !start.editing
  const needed = useNeeded(isNew ? student_id : null)
  const [settledFor, setSettledFor] = useState<string | null>(start.student_id === undefined ? null : '')
  return {
    isNew,
    needed,
    /** Whether the form stays as it is unless somebody changes it. */
    isSettled: !isNew || settledFor === student_id,
    settle: () => setSettledFor(student_id),
  }
}

/** What a student's class demands and nobody has planned yet; `undefined` while that is being asked. */
function useNeeded(student_id: string | null): readonly Needed[] | undefined {
  const school = useSchool()
  const template = classOf(student_id, school)
  const isAsked = template !== undefined && template.requirements.length > 0
  const { data: lessons, isFetching } = useQuery({ ...lessonsOfStudent(student_id ?? ''), enabled: isAsked })
  return useMemo(() => {
    if (!isAsked || (!lessons && !isFetching)) return NOTHING
    return lessons && neededFor(template, lessons, school)
  }, [isAsked, isFetching, lessons, template, school])
}
