import { useState } from 'react'
import { localToday } from '../../domain/time-zone.ts'
import type { Place } from '../slots/offered.ts'
import { type ChosenFilters, rememberedFor } from '../slots/remembered.ts'
import type { Chosen } from '../slots/several.ts'
import { useSlots } from '../slots/use-slots.ts'
import { isLastDay, type Wish } from '../slots/wish.ts'
import { useSchool } from '../ui/school.tsx'
import { type BookingStart, type LessonForm, withPlace } from './form.ts'
import { useSeveral } from './use-several.ts'
import { placeIdOf, useTaking } from './use-taking.ts'

type Use = {
  readonly start: BookingStart
  readonly form: LessonForm
  readonly fill: (form: LessonForm) => void
  readonly save: (form: LessonForm) => void
  /** Whether the form will stay as it is unless somebody changes it: what is sent before waits. */
  readonly isSettled: boolean
  readonly onDone: () => void
}

export type Finder = ReturnType<typeof useFinder>

/**
 * The search for a time of the lesson in a form. While it is followed, the form takes the first time that is found: until
 * another is chosen, or day or time are filled in by hand.
 */
export function useFinder({ start, form, fill, save, isSettled, onDone }: Use) {
  const { tenant } = useSchool()
  const today = localToday(new Date(), tenant.timezone)
  const [isOpen, setOpen] = useState(start.isFinding ?? false)
  const [isFollowed, setFollowed] = useState(true)
  const [base, setBase] = useState(() => wishFor(form, today))
  const [filters, setFilters] = useState(() => filtersFor(form.student_id, base.from))
  const wish = { ...base, ...filters }
  const found = useSlots({ ...form, id: start.editing?.id }, wish, isOpen)
  // No lesson is booked without a student by mistake; one that has none already goes without.
  const isStudentOpen = form.student_id === null && !start.like && !start.editing
  const isFollowing = isOpen && isFollowed && !isStudentOpen
  const saveAsItIs = (wanted: LessonForm) => {
    // What may be on its way to the board takes its own time there, and must not become another.
    setFollowed(false)
    save(wanted)
  }
  const several = useSeveral({ form, fill, onDone })
  const taking = useTaking({ form, fill, save: saveAsItIs }, { found, wish, isFollowing, isSettled })

  return {
    ...taking,
    isOpen,
    wish,
    /** The filters that somebody has chosen, now or when the same student was searched for before. */
    filters,
    found,
    several,
    chosen: placeIdOf(form),
    /** Whether the form waits for a student, whose first time it will take. */
    isWaiting: isOpen && isFollowed && isStudentOpen,
    setWish: ({ from = base.from, ...change }: Partial<Wish>) => {
      setFollowed(!several.isKeeping)
      setBase({ ...base, from })
      setFilters({ ...filters, ...change })
    },
    toggleTime: (time: Chosen) => {
      setFollowed(false)
      several.toggle(time)
    },
    keepTime: () => {
      setFollowed(false)
      several.keep()
    },
    /** A time that is possible is left as it is. */
    toggle: (isPossible: boolean) => {
      setOpen(!isOpen)
      several.clear()
      if (isOpen) return
      setFollowed(!isPossible)
      const next = wishFor(form, today)
      setBase(next)
      // The instructor in the form is the one to look at.
      const { instructor_ids: _, ...others } = filtersFor(form.student_id, next.from)
      setFilters(others)
    },
    pick: (place: Place) => {
      setFollowed(false)
      fill(withPlace(form, place))
    },
    /** Fills in by hand: whom to look at is asked of the search too, and when is for the person to say. */
    fillIn: (next: LessonForm) => {
      const { student_id, instructor_id, date, start: time } = next
      if (student_id !== form.student_id) {
        several.clear()
        const known = filtersFor(student_id, base.from)
        setFilters(form.student_id === null ? { ...known, ...filters } : known)
      }
      if (instructor_id !== form.instructor_id) setFilters({ ...filters, instructor_ids: namedIn(next) })
      if (date !== form.date || time !== form.start) setFollowed(false)
      fill(next)
    },
  }
}

/** The filters that were chosen for the student before, as far as they suit a search from that day on. */
function filtersFor(student_id: string | null, from: string): ChosenFilters {
  const { until = '', ...filters } = rememberedFor(student_id)?.filters ?? {}
  return isLastDay(until, from) ? { ...filters, until } : filters
}

/** From the day of the form on, and with its instructor, if it names one. */
function wishFor(form: LessonForm, today: string): Wish {
  const from = form.date > today ? form.date : today
  return { from, until: '', instructor_ids: namedIn(form), weekdays: [], hours: 'anyTime', order: 'fit' }
}

function namedIn({ instructor_id }: LessonForm): readonly string[] {
  return instructor_id === '' ? [] : [instructor_id]
}
