import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import { isCounted } from '../../../domain/counted.ts'
import { darknessFor } from '../../../domain/daylight.ts'
import { closestLessons, missingTravelTimeFor } from '../../../domain/travel.ts'
import { lessonsOfStudent } from '../../data/appointments.ts'
import { openingBalanceOf } from '../../data/opening-balance.ts'
import { type School, useSchool } from '../../ui/school.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { LessonDraft } from '../verdict.ts'
import { warningMessages } from '../warning-messages.ts'
import { requirementFor, warningsOn } from '../warnings.ts'

const NONE: readonly string[] = []

/** Returns the warnings about a draft, given the loaded lessons; empty while it is incomplete. */
export function useWarningMessages(
  draft: LessonDraft,
  isComplete: boolean,
  around: readonly Appointment[],
): readonly string[] {
  const school = useSchool()
  const { t } = useTranslation()
  const isCounted = isComplete && requirementFor(draft, school) !== undefined
  const { data: lessons } = useQuery({ ...lessonsOfStudent(draft.student_id ?? ''), enabled: isCounted })
  const { data: opening } = useQuery({ ...openingBalanceOf(draft.student_id ?? ''), enabled: isCounted })
  const now = useNow()
  if (!isComplete) return NONE
  const missingTravelTime = travelTimeFor(draft, around, school)
  const beside = {
    now,
    lessons,
    opening: opening?.entries,
    sky: darknessFor(school.tenant),
    missingTravelTime,
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
    ways: locations,
  })
}
