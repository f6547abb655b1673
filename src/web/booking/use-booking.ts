import { useEffect, useMemo, useState } from 'react'
import type { Appointment } from '../../contract/appointment.ts'
import { isCheckedByRules } from '../../domain/booking.ts'
import { bookAppointment, changeAppointment } from '../data/appointments.ts'
import { queueWrite, useEdit, type WriteContext, writeOnce } from '../data/write-queue.ts'
import { useLessonActions } from '../lessons/lesson-actions.ts'
import { WITHOUT_ACTUAL_TIMES } from '../lessons/lesson-commands.ts'
import { useLocalVerdict } from '../lessons/local-verdict.ts'
import { missingFieldIn } from '../lessons/verdict.ts'
import { remember, rememberedFor } from '../slots/remembered.ts'
import { isOutcomeUnknown, refusalIn } from '../ui/problem-messages.ts'
import { type School, useSchool } from '../ui/school.tsx'
import {
  type BookingStart,
  draftOf,
  formFor,
  formOf,
  type LessonForm,
  lessonChangeFor,
  mergedForm,
  newAppointmentOf,
  shownForm,
  withChanges,
  withPlace,
  withVehicles,
} from './form.ts'
import { useDue } from './use-due.ts'
import { useFilling } from './use-filling.ts'
import { type FinderState, useFinder } from './use-finder.ts'
import { useSeries } from './use-series.ts'

const NO_LESSONS = [] as const

export type Booking = ReturnType<typeof useBooking>

/** Returns the form with the time and instructor that an assistant proposes for a lesson to edit. */
function proposedForm({ isProposed, editing, ...place }: BookingStart, opened: LessonForm): LessonForm {
  const { start_at, end_at, instructor_id } = place
  if (!isProposed || !editing || start_at === undefined) return opened
  return withPlace(opened, { start_at, ...(end_at !== undefined && { end_at }), instructor_id })
}

/** Returns the state of the booking form: fields, rules, search, series, and requests. */
export function useBooking(
  start: BookingStart,
  onBooked: (lesson: Appointment, sets: readonly string[]) => void,
  onClose: () => void,
) {
  const school = useSchool()
  const [opened] = useState(() => formFor(start, school))
  const [input, setInput] = useState(() => proposedForm(start, opened))
  const shown = (all: LessonForm) => shownForm(all, opened, school.lessonType)
  const form = useMemo(() => shownForm(input, opened, school.lessonType), [input, opened, school.lessonType])
  const { reportSaved } = useLessonActions(NO_LESSONS)
  const { seen, theirs, error, isBusy, save, take, reset } = useEdit(start.editing, {
    write: (wanted: Saving, before, writing) =>
      saveLesson(wanted, before, { ...writing, lessonType: school.lessonType }),
    onSaved: (saved, _, before, sets) => {
      if (saved && before) void reportSaved(before, saved, sets)
      if (saved && !before) onBooked(saved, sets)
      onClose()
    },
  })
  const fill = (next: LessonForm | ((now: LessonForm) => LessonForm)) => {
    setInput((now) => {
      const before = shown(now)
      const wanted = typeof next === 'function' ? next(before) : next
      return withChanges(now, before, withVehicles(before, wanted, school))
    })
    // Clears a refusal of an earlier state of the form. A pending request must stay visible.
    if (error) reset()
    finder.several.forgetError()
    series.forgetError()
  }
  const due = useDue(start, form)
  // A form submitted before the student's defaults are loaded may still be incomplete.
  const saveWhole = (wanted: LessonForm) => {
    if (missingFieldIn(draftOf(wanted, seen?.id), school) === undefined) save(wanted, seen)
  }
  const { hasDefaults } = due
  const finder = useFinder({ start, form, fill, save: saveWhole, hasDefaults, onDone: onClose })
  const filling = useFilling({ start, opened, form, fill, due, finder })
  useRemembering(form, finder, filling.isLessonChosen)
  const draft = draftOf(form, seen?.id)
  const missing = missingFieldIn(draft, school)
  const isReady = missing === undefined && !finder.isSearching
  const series = useSeries({ form, isReady, onDone: onClose })
  const localVerdict = useLocalVerdict(draft, missing !== undefined, form.date || start.date)
  const failure = error ?? series.error
  // A request without a response may have booked the lesson, which would then conflict with itself.
  const isAsked =
    ![failure, finder.several.error].some(isOutcomeUnknown) &&
    (!seen ||
      missing !== undefined ||
      school.assumed !== undefined ||
      isCheckedByRules(lessonChangeFor(form, seen, school.lessonType), seen))
  return {
    form,
    draft,
    missing,
    seen,
    conflict: seen && theirs && conflictOf(form, seen, theirs, school),
    needed: due.needed,
    finder,
    fillIn: filling.fillIn,
    chooseType: filling.chooseType,
    usualMinutes: filling.usualMinutes,
    isDayFull: filling.isDayFull,
    pick: filling.pick,
    isFilled: filling.isTouched || series.isOn || finder.several.isKeeping,
    series,
    localVerdict,
    failure,
    isAsked,
    refusal: refusalIn(error),
    isBusy: isBusy || series.isBusy || finder.several.isBusy || finder.isEager,
    isBlocked:
      finder.isWaiting ||
      (missing !== undefined && !finder.isSearching) ||
      series.isBlocked ||
      finder.several.isTooMany,
    saveWithoutActualTimes: () => save({ ...form, isWithoutActualTimes: true }, seen),
    keepMine: ({ kept, theirs }: Conflict) => {
      setInput(kept)
      save(kept, theirs)
    },
    takeTheirs: ({ theirs }: Conflict) => {
      setInput(formOf(theirs, school.lessonType))
      take(theirs)
    },
  }
}

/** The form, and whether to clear the actual times, for which it has no fields. */
type Saving = LessonForm & { readonly isWithoutActualTimes?: boolean }

/** Books a new lesson, or saves the changes to a loaded one. Returns undefined if nothing has changed. */
async function saveLesson(
  form: Saving,
  before: Appointment | undefined,
  { lessonType, ...writing }: WriteContext & Pick<School, 'lessonType'>,
): Promise<Appointment | undefined> {
  if (!before) return bookAppointment(newAppointmentOf(form), writing)
  const change = {
    ...lessonChangeFor(form, before, lessonType),
    ...(form.isWithoutActualTimes && WITHOUT_ACTUAL_TIMES),
  }
  if (Object.keys(change).length === 0) return undefined
  return queueWrite(before, (seen) => writeOnce(change, () => changeAppointment({ seen, change }, writing)))
}

/** A lesson as loaded, the version saved by somebody else, and that version with this form's changes. */
export type Conflict = {
  readonly seen: Appointment
  readonly theirs: Appointment
  readonly kept: LessonForm
}

function conflictOf(
  form: LessonForm,
  seen: Appointment,
  theirs: Appointment,
  { lessonType }: School,
): Conflict {
  return { seen, theirs, kept: mergedForm(form, formOf(seen, lessonType), formOf(theirs, lessonType)) }
}

/** Remembers the choices of a search for the student's next one. */
function useRemembering(
  { student_id, lesson_type_id, minutes }: LessonForm,
  { isOpen, filters }: FinderState,
  isLessonChosen: boolean,
): void {
  const chosen = JSON.stringify(filters)
  useEffect(() => {
    if (!isOpen || student_id === null) return
    const lesson = isLessonChosen ? { lesson_type_id, minutes } : rememberedFor(student_id)?.lesson
    remember({ student_id, filters: JSON.parse(chosen), lesson })
  }, [isOpen, student_id, lesson_type_id, minutes, isLessonChosen, chosen])
}
