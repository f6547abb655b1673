import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { isCounted } from '../../domain/counted.ts'
import { darknessFor } from '../../domain/daylight.ts'
import { closestLessons, missingTravelTimeFor } from '../../domain/travel.ts'
import { lessonsOfStudent } from '../data/appointments.ts'
import { openingBalanceOf } from '../data/opening-balance.ts'
import { examCheckOf } from '../data/slots.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import { warningMessages } from '../lessons/warning-messages.ts'
import { needsExamCheck, requirementFor, warningsOn } from '../lessons/warnings.ts'
import { type School, useSchool } from '../ui/school.tsx'
import { useNow } from '../ui/use-now.ts'

const NONE: readonly string[] = []

/** Returns the warnings about a draft, given the loaded lessons; empty while it is incomplete. */
export function useWarningMessages(
  draft: LessonDraft,
  isComplete: boolean,
  around: readonly Appointment[],
): readonly string[] {
  const school = useSchool()
  const { t } = useTranslation()
  const isTest = needsExamCheck(draft, school)
  const needsLessons = isComplete && draft.student_id !== null && (isTest || requirementFor(draft, school))
  const enabled = Boolean(needsLessons)
  const { data: lessons } = useQuery({ ...lessonsOfStudent(draft.student_id ?? ''), enabled })
  const { data: opening } = useQuery({ ...openingBalanceOf(draft.student_id ?? ''), enabled })
  const { data: examCheck } = useQuery({ ...examCheckOf(draft), enabled: isComplete && isTest })
  const now = useNow()
  if (!isComplete) return NONE
  const missingTravelTime = travelTimeFor(draft, around, school)
  const beside = {
    now,
    lessons,
    opening: opening?.entries,
    darkness: darknessFor(school.tenant),
    missingTravelTime,
    examCheck,
  }
  return warningsOn(draft, school, beside).map((warning) => warningMessages(warning, draft, school, t))
}

/** Returns the missing travel time if a neighbouring lesson of the instructor is too far away. */
function travelTimeFor(
  draft: LessonDraft,
  around: readonly Appointment[],
  { locations, instructor }: School,
) {
  if (locations.length === 0) return undefined
  const { id, instructor_id, start_at, end_at, location_id } = draft
  const home = instructor.get(instructor_id)?.location_id ?? null
  const others = around.filter(
    (one) => one.instructor_id === instructor_id && one.id !== id && isCounted(one),
  )
  const neighbours = closestLessons(draft, others).map((one) => ({
    ...one,
    location_id: one.location_id ?? home,
  }))
  return missingTravelTimeFor({
    start_at,
    end_at,
    location_id: location_id ?? home,
    neighbours,
    travelTimes: locations,
  })
}
