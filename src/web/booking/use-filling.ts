import { useEffect, useState } from 'react'
import { localNow } from '../../domain/time-zone.ts'
import type { Needed } from '../lessons/teaching.ts'
import { useWeek } from '../lessons/use-week.ts'
import type { Place } from '../slots/offered.ts'
import { useSchool } from '../ui/school.tsx'
import { type ByHand, byHandAt, filledIn, type Known, leadsOn, touchedIn } from './filled-in.ts'
import type { BookingStart, LessonForm } from './form.ts'
import type { Finder } from './use-finder.ts'

type Use = {
  readonly start: BookingStart
  readonly opened: LessonForm
  readonly form: LessonForm
  readonly fill: (change: (form: LessonForm) => LessonForm) => void
  readonly isNew: boolean
  readonly needed: readonly Needed[] | undefined
  readonly finder: Finder
  /** Called with the student once all that follows is filled in. */
  readonly onFilled: (student_id: string | null) => void
}

/** Fills into a new booking what follows from its student, as far as nobody has filled it in by hand. */
export function useFilling({ start, opened, form, fill, isNew, needed, finder, onFilled }: Use) {
  const school = useSchool()
  const [byHand, setByHand] = useState(() => byHandAt(start))
  const [isTouched, setTouched] = useState(false)
  const { lessons } = useWeek(form.date || start.date)
  const known = (due: readonly Needed[] | undefined): Known => ({
    school,
    opened,
    // Theory is taught to a class, and nobody books it one by one.
    next: due?.find(({ type }) => type.category !== 'theory')?.type,
    desk: finder.isOpen
      ? undefined
      : { school, lessons: lessons ?? [], now: localNow(new Date(), school.tenant.timezone) },
  })

  const isKnown = needed !== undefined
  const isRead = lessons !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each student, when that is known, and not while somebody types
  useEffect(() => {
    if (!isNew || !isKnown) return
    fill((now) => filledIn(now, byHand, known(needed)))
    onFilled(form.student_id)
  }, [form.student_id, isKnown, isRead])

  const touch = (touched: ByHand) => {
    const hands = { ...byHand, ...touched }
    setByHand(hands)
    setTouched(true)
    return hands
  }
  return {
    /** Whether somebody has filled in anything. */
    isTouched,
    pick: (place: Place) => {
      touch({ date: true, start: true, ...(place.instructor_id !== undefined && { instructor_id: true }) })
      finder.pick(place)
    },
    fillIn: (next: LessonForm) => {
      const touched = touchedIn(next, form)
      const hands = touch(touched)
      const due = touched.student_id ? undefined : needed
      finder.fillIn(isNew && leadsOn(touched) ? filledIn(next, hands, known(due)) : next)
    },
  }
}
