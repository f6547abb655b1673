import { useState } from 'react'
import type { Slot } from '../../contract/slot.ts'
import { localToday } from '../../domain/time-zone.ts'
import { usualVehiclesOf, vehicleQueryFor } from '../lessons/lesson-vehicles.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import type { SlotPlace } from '../slots/offered.ts'
import { type ChosenFilters, rememberedFor } from '../slots/remembered.ts'
import { isLastDay, type SearchCriteria } from '../slots/search-criteria.ts'
import type { ChosenSlot } from '../slots/several.ts'
import { useSlots, withSameTime } from '../slots/use-slots.ts'
import { useSchool } from '../ui/school.tsx'
import { type BookingStart, draftOf, type LessonForm, withPlace } from './form.ts'
import { useSameTime as useSameTimeFor } from './use-free-at.ts'
import { useSeveral } from './use-several.ts'
import { placeIdOf, useFirstSlot } from './use-taking.ts'

type FinderOptions = {
  readonly start: BookingStart
  readonly form: LessonForm
  readonly fill: (form: LessonForm) => void
  readonly save: (form: LessonForm) => void
  /** Whether the student's defaults, if any, have been filled in; submitting waits for them. */
  readonly hasDefaults: boolean
  readonly onDone: () => void
}

export type FinderState = ReturnType<typeof useFinder>

/** Returns the search for a time in a form. It fills in the first time found, unless a time is chosen or entered by hand. */
export function useFinder({ start, form, fill, save, hasDefaults, onDone }: FinderOptions) {
  const school = useSchool()
  const { tenant } = school
  const today = localToday(new Date(), tenant.timezone)
  const [isOpen, setOpen] = useState(start.isFinding ?? false)
  const [isFollowed, setFollowed] = useState(true)
  const [base, setBase] = useState(() => criteriaFor(form, today))
  const [filters, setFilters] = useState(() => filtersFor(form.student_id, base.from))
  const criteria = { ...base, ...filters }
  const [origin, setOrigin] = useState(() => (start.isFinding ? originOf(start, form) : undefined))
  const same = useSameTime(start, origin)
  const sought = { ...form, id: start.editing?.id, vehicles: vehicleQueryFor(form, school) }
  const found = withSameTime(useSlots(sought, criteria, isOpen), same)
  // A new lesson may still get a student; a copied or edited one without a student is meant to have none.
  const isStudentOpen = form.student_id === null && !start.like && !start.editing
  const isFollowing = isOpen && isFollowed && !isStudentOpen
  const saveAsItIs = (wanted: LessonForm) => {
    // The search must not change the time of a lesson that is being saved.
    setFollowed(false)
    save(wanted)
  }
  const several = useSeveral({ form, fill, isWithVehicle: criteria.vehicle !== undefined, onDone })
  const taking = useFirstSlot({ form, fill, save: saveAsItIs }, { found, criteria, isFollowing, hasDefaults })

  return {
    ...taking,
    isOpen,
    criteria,
    /** The filters chosen in this search, or else in the student's last one. */
    filters,
    found,
    several,
    chosen: placeIdOf(form),
    /** Whether the search needs a student before it fills in a time. */
    isWaiting: isOpen && isFollowed && isStudentOpen,
    setCriteria: ({ from = base.from, ...change }: Partial<SearchCriteria>) => {
      setFollowed(!several.isKeeping)
      setOrigin(undefined)
      setBase({ ...base, from })
      setFilters({ ...filters, ...change })
      if ('vehicle' in change) fill({ ...form, vehicle_ids: usualVehiclesOf(form, school) })
    },
    toggleTime: (time: ChosenSlot) => {
      setFollowed(false)
      several.toggle(time)
    },
    keepTime: () => {
      setFollowed(false)
      several.keep()
    },
    /** Opens or closes the search. An entered time is kept if it is possible. */
    toggle: (isPossible: boolean) => {
      setOpen(!isOpen)
      several.clear()
      if (isOpen) return
      setFollowed(!isPossible)
      setOrigin(isPossible || form.instructor_id === '' ? undefined : draftOf(form, start.editing?.id))
      const next = criteriaFor(form, today)
      setBase(next)
      // The form's instructor takes precedence over remembered ones.
      const { instructor_ids: _, ...others } = filtersFor(form.student_id, next.from)
      setFilters(others)
    },
    /** Fills in a chosen time. */
    pick: (place: SlotPlace) => {
      setFollowed(false)
      fill(withPlace(form, place))
    },
    /** Applies changes made by hand. An instructor also changes the search; the search no longer replaces an entered time. */
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

/** Returns the draft of a copied or edited lesson, which already has a time. */
function originOf({ editing, like }: BookingStart, form: LessonForm): LessonDraft | undefined {
  return editing || like ? draftOf(form, editing?.id) : undefined
}

/** Returns the time of `origin` with other instructors unless its own is free. Excludes the edited lesson's present slot. */
function useSameTime(
  { editing }: BookingStart,
  origin: LessonDraft | undefined,
): readonly Slot[] | undefined {
  const same = useSameTimeFor(origin ?? NOWHERE, origin !== undefined)
  const isNow = ({ instructor_id, start_at }: Slot) =>
    instructor_id === editing?.instructor_id && start_at === editing.start_at
  return origin ? same?.filter((slot) => !isNow(slot)) : NONE
}

const NONE: readonly Slot[] = []
const NOWHERE: LessonDraft = {
  instructor_id: '',
  student_id: null,
  lesson_type_id: '',
  start_at: '',
  end_at: '',
}

function isOtherLesson(next: LessonForm, form: LessonForm): boolean {
  const fields = ['student_id', 'lesson_type_id', 'minutes'] as const
  return fields.some((field) => next[field] !== form[field])
}

/** Returns the filters of the student's last search, without a last day that is out of range for the new first day. */
function filtersFor(student_id: string | null, from: string): ChosenFilters {
  const { until = '', ...filters } = rememberedFor(student_id)?.filters ?? {}
  return isLastDay(until, from) ? { ...filters, until } : filters
}

/** Returns the criteria for a search from the form's day on, or today if that is past, with its instructor if any. */
function criteriaFor(form: LessonForm, today: string): SearchCriteria {
  const from = form.date > today ? form.date : today
  return { from, until: '', instructor_ids: namedIn(form), weekdays: [], hours: 'anyTime', order: 'fit' }
}

function namedIn({ instructor_id }: LessonForm): readonly string[] {
  return instructor_id === '' ? [] : [instructor_id]
}
