import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { LessonType } from '../../contract/lesson-type.ts'
import { isLocalDate } from '../../domain/local-time.ts'
import { localNow, localToday } from '../../domain/time-zone.ts'
import { usualVehiclesOf } from '../lessons/lesson-vehicles.ts'
import { weekIn } from '../lessons/local-verdict.ts'
import { classOf, type OpenRequirement } from '../lessons/teaching.ts'
import { useWeek } from '../lessons/use-week.ts'
import type { SlotPlace } from '../slots/offered.ts'
import { rememberedFor } from '../slots/remembered.ts'
import { type School, useSchool } from '../ui/school.tsx'
import {
  type ByHand,
  byHandAt,
  determinesOthers,
  type FillingContext,
  filledIn,
  isOwnLength,
  touchedIn,
  withChosenType,
} from './filled-in.ts'
import { type FillContext, firstPlaceFor } from './first-place.ts'
import { type BookingStart, type LessonForm, withVehicles } from './form.ts'
import type { DueState } from './use-due.ts'
import type { FinderState } from './use-finder.ts'

type FillingOptions = {
  readonly start: BookingStart
  readonly opened: LessonForm
  readonly form: LessonForm
  readonly fill: (change: (form: LessonForm) => LessonForm) => void
  readonly due: DueState
  readonly finder: FinderState
}

/** Fills in a new booking from its student, except for fields filled in by hand. */
export function useFilling({ start, opened, form, fill, due, finder }: FillingOptions) {
  const { isNew, needed, isBeginner, markDefaultsFilled } = due
  const school = useSchool()
  const [byHand, setByHand] = useState<ByHand>(() => ({
    ...byHandAt(start),
    ...(isOwnLength(start, opened, school) && { minutes: true }),
  }))
  const [isTouched, setTouched] = useState(false)
  const client = useQueryClient()
  // The date may be in another week than the one the form was opened with.
  const { lessons } = useWeek(isLocalDate(form.date) ? form.date : start.date)
  const known = (needs: readonly OpenRequirement[] | undefined): FillingContext => {
    const recalled = finder.isOpen ? recalledLesson(form.student_id, needs, school) : undefined
    return {
      school,
      opened,
      next: recalled?.type ?? (isBeginner ? undefined : nextOf(needs)),
      minutes: recalled?.minutes,
      context: finder.isOpen ? undefined : contextFor(school, client),
    }
  }

  const isKnown = needed !== undefined
  const isRead = lessons !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the student, the loaded data or the found instructor change, not on every edit
  useEffect(() => {
    if (!isNew || !isKnown) return
    fill((now) => filledIn(now, byHand, known(needed)))
    markDefaultsFilled()
  }, [form.student_id, isKnown, isRead, finder.isOpen && form.instructor_id])

  const hasVehicles = school.vehicle.size > 0
  const [isOpenedEarly] = useState(!hasVehicles)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the vehicles are loaded after the form has opened
  useEffect(() => {
    if (!isNew || !isOpenedEarly || !hasVehicles || start.vehicle_ids) return
    fill((now) => ({ ...now, vehicle_ids: usualVehiclesOf(now, school) }))
  }, [hasVehicles])

  const touch = (touched: ByHand) => {
    const hands = { ...byHand, ...touched }
    setByHand(hands)
    setTouched(true)
    return hands
  }
  const fillIn = (next: LessonForm, touched: ByHand) => {
    // A search for another student drops the type and length chosen by hand.
    const isAnew = finder.isOpen && touched.student_id && form.student_id !== null
    const hands = touch(isAnew ? { ...touched, ...UNTOUCHED } : touched)
    const needs = touched.student_id ? undefined : needed
    finder.fillIn(isNew && determinesOthers(touched) ? filledIn(next, hands, known(needs)) : next)
  }
  const usual = school.lessonType.get(form.lesson_type_id)?.default_minutes
  const isLengthKept = byHand.minutes === true && byHand.lesson_type_id === true && usual !== form.minutes
  return {
    /** The usual length of the chosen type if the form has another one, which was drawn or typed. */
    usualMinutes: isLengthKept ? usual : undefined,
    isDayFull: useIsDayFull(form, isNew && !byHand.start && !finder.isOpen && isRead),
    isTouched,
    isLessonChosen: byHand.lesson_type_id === true || byHand.minutes === true,
    pick: (place: SlotPlace) => {
      touch({
        date: true,
        start: true,
        ...(place.instructor_id !== undefined && { instructor_id: true }),
      })
      finder.pick(place)
    },
    fillIn: (next: LessonForm) => fillIn(withVehicles(form, next, school), touchedIn(next, form)),
    chooseType: (type: LessonType) => {
      const typed = withChosenType(form, type, byHand, { opened })
      fillIn(withVehicles(form, typed, school), { lesson_type_id: true })
    },
  }
}

function useIsDayFull(form: LessonForm, isAsked: boolean): boolean {
  const school = useSchool()
  const client = useQueryClient()
  const { lessons } = useWeek(
    isLocalDate(form.date) ? form.date : localToday(new Date(), school.tenant.timezone),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: computed when a field that decides it or the lessons change, not on every edit
  return useMemo(
    () =>
      isAsked &&
      isLocalDate(form.date) &&
      form.minutes >= 1 &&
      firstPlaceFor(form, contextFor(school, client)) === undefined,
    [
      isAsked,
      form.date,
      form.minutes,
      form.instructor_id,
      form.student_id,
      form.lesson_type_id,
      lessons,
      school,
    ],
  )
}

const UNTOUCHED: ByHand = { lesson_type_id: undefined, minutes: undefined }

/**
 * Returns the lesson type of the first open requirement except theory, which is not booked one by one. Not called for
 * beginners: they get the form's own type, practice, before any special drive.
 */
function nextOf(needs: readonly OpenRequirement[] | undefined): LessonType | undefined {
  return needs?.find(({ type }) => type.category !== 'theory')?.type
}

function contextFor(school: School, client: QueryClient): FillContext {
  const now = localNow(new Date(), school.tenant.timezone)
  return { school, read: (monday) => weekIn(client, monday), now }
}

/** Returns the type and length chosen in the student's last search; a required type only while it is still needed. */
function recalledLesson(
  student_id: string | null,
  needed: readonly OpenRequirement[] | undefined,
  school: Pick<School, 'lessonType' | 'student' | 'templates'>,
): { readonly type: LessonType; readonly minutes: number } | undefined {
  const lesson = rememberedFor(student_id)?.lesson
  const type = school.lessonType.get(lesson?.lesson_type_id ?? '')
  if (!lesson || !type || !needed) return undefined
  const requirements = classOf(student_id, school)?.requirements ?? []
  const isRequired = requirements.some(({ lesson_type_id }) => lesson_type_id === type.id)
  const isNeeded = needed.some((one) => one.type.id === type.id)
  return isRequired && !isNeeded ? undefined : { type, minutes: lesson.minutes }
}
