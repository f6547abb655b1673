import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { NewSeriesChange } from '../../contract/series.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import {
  dateOf,
  dayOf,
  daysLater,
  minutesLater,
  type TimeOfDay,
  timeOf,
  weekdayOf,
} from '../../domain/local-time.ts'
import { lessonsOfSeries } from '../data/appointments.ts'
import { followNow } from '../data/following.ts'
import { changePreviewOf } from '../data/series.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import { isOutcomeUnknown } from '../ui/problem-messages.ts'
import { useSchool } from '../ui/school.tsx'
import { useIsStill } from '../ui/use-is-still.ts'
import { changeFollowing } from './series-actions.ts'

/** Milliseconds: longer than a pause in typing. */
const STILL_MS = 400

type Form = {
  readonly weekday: number
  readonly start: TimeOfDay | ''
  readonly minutes: number | ''
  readonly instructor_id: string
  /** Whether a refused lesson keeps all from changing. */
  readonly isOnlyAll: boolean
}

/** Returns the form that changes a series from a lesson on, with its preview. */
export function useSeriesChange(lesson: Appointment, series_id: string, onDone: () => void) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const [form, setForm] = useState(() => formOf(lesson))
  const { data: before } = useQuery(lessonsOfSeries(series_id))
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (wanted: Parameters<typeof changeFollowing>[1]) =>
      changeFollowing({ client, school, t }, wanted),
    onSuccess: onDone,
    // The preview may have been of another state.
    onError: () => void followNow(client),
  })
  const change = changeOf(form, lesson)
  const isComplete = form.start !== '' && form.minutes !== '' && form.instructor_id !== ''
  const isAsked = isComplete && Object.keys(change).length > 0
  const given = { from: dateOf(lesson.start_at), change }
  const isStill = useIsStill(JSON.stringify(given), STILL_MS)
  const preview = useQuery({
    ...changePreviewOf(series_id, { ...given, on_refusal: 'skip' }),
    // A request without a response may have changed the series.
    enabled: isAsked && isStill && !isPending && !isOutcomeUnknown(error),
    placeholderData: keepPreviousData,
  })
  const found = isAsked ? preview.data : undefined
  const isCurrent = found !== undefined && !preview.isPlaceholderData
  const isRefused = form.isOnlyAll && (found?.refused.length ?? 0) > 0
  return {
    form,
    edit: (part: Partial<Form>) => {
      setForm({ ...form, ...part })
      if (error) reset()
    },
    isAsked,
    /** The lesson as the form changes it. */
    draft: draftOf(form, lesson),
    /** The lessons of the series as they are. */
    before,
    found,
    isCurrent,
    unchecked: isAsked && !found ? preview.error : null,
    isBlocked: !isCurrent || found.changed.length === 0 || isRefused || !before,
    error,
    isBusy: isPending,
    save: () => {
      const on_refusal = form.isOnlyAll ? ('nothing' as const) : ('skip' as const)
      if (before) mutate({ lesson, series_id, before, given: { ...given, on_refusal } })
    },
  }
}

const weekdayIn = ({ start_at }: Appointment) => weekdayOf(dayOf(start_at))

function formOf(lesson: Appointment): Form {
  return {
    weekday: weekdayIn(lesson),
    start: timeOf(lesson.start_at),
    minutes: minutesOf(intervalOf(lesson)),
    instructor_id: lesson.instructor_id,
    isOnlyAll: false,
  }
}

/** Returns the fields that differ from those of the lesson; the others may differ within the series. */
function changeOf(form: Form, lesson: Appointment): NewSeriesChange['change'] {
  const { weekday, start, minutes, instructor_id } = form
  const was = formOf(lesson)
  return {
    ...(weekday !== was.weekday && { shift_days: weekday - was.weekday }),
    ...(start && start !== was.start && { start_time: start }),
    ...(minutes && minutes !== was.minutes && { minutes }),
    ...(instructor_id && instructor_id !== was.instructor_id && { instructor_id }),
  }
}

function draftOf({ weekday, start, minutes, instructor_id }: Form, lesson: Appointment): LessonDraft {
  if (start === '' || minutes === '') return { ...lesson, instructor_id, start_at: '', end_at: '' }
  const start_at = `${daysLater(dateOf(lesson.start_at), weekday - weekdayIn(lesson))} ${start}`
  return { ...lesson, instructor_id, start_at, end_at: minutesLater(start_at, minutes) }
}
