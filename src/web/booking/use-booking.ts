import { useState } from 'react'
import type { Appointment } from '../../contract/appointment.ts'
import { asksTheRules } from '../../domain/booking.ts'
import { useJudgement } from '../lessons/use-judgement.ts'
import { missingIn } from '../lessons/verdict.ts'
import { isLost, refusalIn } from '../ui/problem-words.ts'
import { useSchool } from '../ui/school.tsx'
import { type BookingStart, changeOf, draftOf, formFor, formOf, type LessonForm } from './form.ts'
import { useFinder } from './use-finder.ts'
import { useSave } from './use-save.ts'
import { useSeries } from './use-series.ts'

/** A booking, or an edit, from its first field to its answer. */
export type Booking = ReturnType<typeof useBooking>

/** The form, what the rules say of it, the search for a time, the series, and what has become of what was sent. */
export function useBooking(
  start: BookingStart,
  onBooked: (lesson: Appointment) => void,
  onClose: () => void,
) {
  const school = useSchool()
  const [form, setForm] = useState(() => formFor(start, school.lessonTypes))
  const { seen, theirs, error, isBusy, save, take, forgetError } = useSave(start.editing, onBooked, onClose)
  const fill = (next: LessonForm) => {
    setForm(next)
    // What was refused is no longer what is asked for.
    forgetError()
    series.forgetError()
  }
  const finder = useFinder({ start, form, fill, save })
  const draft = draftOf(form, seen?.id)
  const missing = missingIn(draft, school)
  const isReady = missing === undefined && !finder.isSearching
  const series = useSeries({ form, isReady, onDone: onClose })
  const judgement = useJudgement(draft, missing !== undefined, form.date || start.date)
  const failure = error ?? series.error
  // What was sent and not answered may be on the board already: the rules would find it in its own way.
  const isAsked =
    !isLost(failure) && (!seen || missing !== undefined || asksTheRules(changeOf(form, seen), seen))
  return {
    form,
    draft,
    missing,
    seen,
    theirs,
    finder,
    series,
    judgement,
    failure,
    isAsked,
    refusal: refusalIn(error),
    isBusy: isBusy || series.isBusy || finder.isEager,
    isBlocked: finder.isWaiting || (missing !== undefined && !finder.isSearching) || series.isBlocked,
    keepMine: (kept: LessonForm) => {
      setForm(kept)
      save(kept, theirs)
    },
    takeTheirs: (current: Appointment) => {
      setForm(formOf(current))
      take(current)
    },
  }
}
