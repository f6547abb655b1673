import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { lessonsOfStudent } from '../api/appointments.ts'
import { classOf, type Needed, neededFor } from '../lessons/teaching.ts'
import { useSchool } from '../ui/school.tsx'

const NOTHING: readonly Needed[] = []

/** What a student's class demands and nobody has planned yet; `undefined` while that is being asked. */
export function useNeeded(student_id: string | null): readonly Needed[] | undefined {
  const school = useSchool()
  const template = classOf(student_id, school)
  const isAsked = template !== undefined && template.requirements.length > 0
  const { data: lessons, isFetching } = useQuery({ ...lessonsOfStudent(student_id ?? ''), enabled: isAsked })
  return useMemo(() => {
    if (!isAsked || (!lessons && !isFetching)) return NOTHING
    return lessons && neededFor(template, lessons, school)
  }, [isAsked, isFetching, lessons, template, school])
}
