import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Appointment } from '../../contract/appointment.ts'
import { isCounted } from '../../domain/counted.ts'
import { lessonsOfStudent } from '../data/appointments.ts'
import { openingBalanceOf } from '../data/opening-balance.ts'
import { classOf, type OpenRequirement, openRequirementsFor } from '../lessons/teaching.ts'
import { type School, useSchool } from '../ui/school.tsx'
import type { BookingStart, LessonForm } from './form.ts'

const NOTHING: readonly OpenRequirement[] = []

export type DueState = ReturnType<typeof useDue>

/** Returns the open requirements of a new booking's student, and whether the form has been filled in from them. */
export function useDue(start: BookingStart, { student_id }: LessonForm) {
  const isNew = !start.like && !start.editing
  const { needed, isBeginner } = useNeeded(isNew ? student_id : null)
  const [defaultsFilledFor, setSettledFor] = useState<string | null>(
    start.student_id === undefined ? null : '',
  )
  return {
    isNew,
    needed,
    isBeginner,
    /** Whether the student's defaults, if any, have been filled in. */
    hasDefaults: !isNew || defaultsFilledFor === student_id,
    markDefaultsFilled: () => setSettledFor(student_id),
  }
}

type NeededOfStudent = {
  /** The open requirements of the student's class; undefined while they are loading. */
  readonly needed: readonly OpenRequirement[] | undefined
  /** Whether the student has no drive yet, done or planned. */
  readonly isBeginner: boolean
}

function useNeeded(student_id: string | null): NeededOfStudent {
  const school = useSchool()
  const template = classOf(student_id, school)
  const isAsked = template !== undefined && template.requirements.length > 0
  const { data: lessons, isFetching } = useQuery({ ...lessonsOfStudent(student_id ?? ''), enabled: isAsked })
  const { data: opening, isFetching: isOpeningFetching } = useQuery({
    ...openingBalanceOf(student_id ?? ''),
    enabled: isAsked,
  })
  return useMemo(() => {
    if (isOpeningFetching && !opening) return { needed: undefined, isBeginner: false }
    if (!isAsked || student_id === null || (!lessons && !isFetching))
      return { needed: NOTHING, isBeginner: false }
    if (!lessons) return { needed: undefined, isBeginner: false }
    const balance = opening?.entries ?? []
    const isBeginner =
      !lessons.some((lesson) => isDrive(lesson, school)) &&
      !balance.some((entry) => entry.units > 0 && isPractical(entry, school))
    return {
      needed: openRequirementsFor(template, { student_id, lessons, opening: balance }, school),
      isBeginner,
    }
  }, [isAsked, isFetching, isOpeningFetching, lessons, opening, student_id, template, school])
}

/** Whether the lesson is a drive that is done or planned. */
function isDrive(lesson: Pick<Appointment, 'status' | 'lesson_type_id'>, school: Pick<School, 'lessonType'>) {
  return isCounted(lesson) && isPractical(lesson, school)
}

function isPractical(
  { lesson_type_id }: Pick<Appointment, 'lesson_type_id'>,
  { lessonType }: Pick<School, 'lessonType'>,
): boolean {
  return lessonType.get(lesson_type_id)?.category !== 'theory'
}
