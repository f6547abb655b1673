import { useState } from 'react'
import type { Slot } from '../../../contract/slot.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { useSchool } from '../../ui/school.tsx'
import type { Place } from '../slots/offered.ts'
import { type ChosenFilters, rememberedFor } from '../slots/remembered.ts'
import type { Chosen } from '../slots/several.ts'
import { useSlots, withSameTime } from '../slots/use-slots.ts'
import { isLastDay, type Wish } from '../slots/wish.ts'
import type { Draft } from '../verdict.ts'
import { type BookingStart, draftOf, type LessonForm, withPlace } from './form.ts'
import { useSameTime as useSameTimeFor } from './use-free-at.ts'
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
  const [origin, setOrigin] = useState(() => (start.isFinding ? originOf(start, form) : undefined))
  const same = useSameTime(start, origin)
  const found = withSameTime(useSlots({ ...form, id: start.editing?.id }, wish, isOpen), same)
  // No lesson is booked without a student by mistake; one that has none already goes without.
  const isStudentOpen = form.student_id === null && !start.like && !start.editing
  const isFollowing = isOpen && isFollowed && !isStudentOpen
  const saveAsItIs = (wanted: LessonForm) => {
    // A lesson that may be on its way to the board takes its time there, and must not become another.
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
      setOrigin(undefined)
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
      setOrigin(isPossible || form.instructor_id === '' ? undefined : draftOf(form, start.editing?.id))
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
      if (isOtherLesson(next, form)) setOrigin(undefined)
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

/** The lesson that a search is opened for at a time that is asked for already. */
function originOf({ editing, like }: BookingStart, form: LessonForm): Draft | undefined {
  return editing || like ? draftOf(form, editing?.id) : undefined
}

/** Returns that time with others, unless its instructor is free; none without one. The place where a lesson lies now is no other. */
function useSameTime({ editing }: BookingStart, origin: Draft | undefined): readonly Slot[] | undefined {
  const same = useSameTimeFor(origin ?? NOWHERE, origin !== undefined)
  const isNow = ({ instructor_id, start_at }: Slot) =>
    instructor_id === editing?.instructor_id && start_at === editing.start_at
  return origin ? same?.filter((slot) => !isNow(slot)) : NONE
}

const NONE: readonly Slot[] = []
const NOWHERE: Draft = { instructor_id: '', student_id: null, lesson_type_id: '', start_at: '', end_at: '' }

function isOtherLesson(next: LessonForm, form: LessonForm): boolean {
  const fields = ['student_id', 'lesson_type_id', 'minutes'] as const
  return fields.some((field) => next[field] !== form[field])
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
