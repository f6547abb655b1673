import { useEffect, useState } from 'react'
import { localToday } from '../../domain/time-zone.ts'
import { type Place, slotIdOf } from '../slots/offered.ts'
import { useSlots } from '../slots/use-slots.ts'
import type { Wish } from '../slots/wish.ts'
import { useSchool } from '../ui/school.tsx'
import { type BookingStart, type LessonForm, withPlace } from './form.ts'

type Use = {
  readonly start: BookingStart
  readonly form: LessonForm
  readonly fill: (form: LessonForm) => void
  readonly save: (form: LessonForm) => void
}

export type Finder = ReturnType<typeof useFinder>

/**
 * The search for a time of the lesson in a form. While it is followed, the form takes the first time that is found: until
 * another is chosen, or day or time are filled in by hand. What it has taken it keeps for as long as that is free.
 */
export function useFinder({ start, form, fill, save }: Use) {
  const { tenant } = useSchool()
  const [isOpen, setOpen] = useState(start.isFinding ?? false)
  const [isFollowed, setFollowed] = useState(true)
  const [isEager, setEager] = useState(false)
  const [takenFor, setTakenFor] = useState('')
  const [wish, setWish] = useState(() => wishFor(form, localToday(new Date(), tenant.timezone)))
  const found = useSlots(form, wish, isOpen)
  // No lesson is booked without a student by mistake; one that has none already goes without.
  const isStudentOpen = form.student_id === null && !start.like && !start.editing
  const isFollowing = isOpen && isFollowed && !isStudentOpen
  const first = isFollowing && found.isCurrent ? found.slots?.[0] : undefined
  const isSettled = !isFollowing || !found.isAsking
  const question = JSON.stringify([wish, form.student_id, form.lesson_type_id, form.minutes])
  const isKept = takenFor === question && found.isFree(idOf(form))
  const taken = first && !isKept ? withPlace(form, first) : undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: what has been found is taken once
  useEffect(() => {
    if (taken) {
      fill(taken)
      setTakenFor(question)
    }
    if (!isEager || !isSettled) return
    setEager(false)
    if (first) save(taken ?? form)
  }, [first, question, isEager, isSettled])

  return {
    isOpen,
    wish,
    found,
    chosen: idOf(form),
    /** Whether the first time is still being looked for; what is sent meanwhile is sent with it. */
    isSearching: !isSettled,
    isEager,
    /** Whether the form waits for a student, whose first time it will take. */
    isWaiting: isOpen && isFollowed && isStudentOpen,
    sendWithFirst: () => setEager(true),
    setWish: (next: Wish) => {
      setFollowed(true)
      setWish(next)
    },
    /** A time that is possible is left as it is. */
    toggle: (isPossible: boolean) => {
      if (!isOpen) {
        setFollowed(!isPossible)
        setWish(wishFor(form, localToday(new Date(), tenant.timezone)))
      }
      setOpen(!isOpen)
    },
    pick: (place: Place) => {
      setFollowed(false)
      fill(withPlace(form, place))
    },
    /** Fills in by hand: whom to look at is asked of the search too, and when is for the person to say. */
    fillIn: (next: LessonForm) => {
      const { instructor_id, date, start: time } = next
      if (instructor_id !== form.instructor_id) setWish({ ...wish, instructor_id })
      if (date !== form.date || time !== form.start) setFollowed(false)
      fill(next)
    },
  }
}

function idOf({ instructor_id, date, start }: LessonForm): string {
  return slotIdOf({ instructor_id, start_at: `${date} ${start}` })
}

/** From the day of the form on, and with its instructor, if it names one. */
function wishFor({ date, instructor_id }: LessonForm, today: string): Wish {
  return { from: date > today ? date : today, instructor_id, weekdays: [], hours: 'anyTime', order: 'fit' }
}
