import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewSeries, Series } from '../../contract/series.ts'
import type { Slot } from '../../contract/slot.ts'
import { intervalOf, overlaps } from '../../domain/interval.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { previewOf } from '../data/series.ts'
import { isOutcomeUnknown } from '../ui/problem-messages.ts'
import { useSchool } from '../ui/school.tsx'
import { useIsStill } from '../ui/use-is-still.ts'
import { isClass, type LessonForm } from './form.ts'
import { fittingRepeat, seriesOf, type WeeklyRepeat } from './repeat.ts'
import { bookAll, type ChosenAlternatives, reportSeries } from './series-actions.ts'

/** Milliseconds: longer than a pause in typing. */
const STILL_MS = 400

const NONE: ChosenAlternatives = new Map()

type SeriesOptions = {
  readonly form: LessonForm
  /** Whether the first lesson is complete. */
  readonly isReady: boolean
  readonly onDone: () => void
}

export type SeriesInForm = ReturnType<typeof useSeries>

/** Returns the repetition of a lesson in a form, with preview, alternatives and booking. */
export function useSeries({ form, isReady, onDone }: SeriesOptions) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const [chosen, setRepeat] = useState<WeeklyRepeat>()
  const [last, setLast] = useState<WeeklyRepeat>()
  const repeat = chosen && fittingRepeat(chosen, form, isClass(form, school.lessonType))
  const [wanted, setWanted] = useState(NONE)
  const context = { client, school, t }
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (wanted: Parameters<typeof bookAll>[1]) => bookAll(context, wanted),
    onSuccess: async (gone) => (await reportSeries(context, gone)) && onDone(),
  })
  // A pending request must stay visible.
  const forgetError = () => {
    if (error) reset()
  }
  const isOn = repeat !== undefined
  const series = repeat && seriesOf(form, repeat)
  // A request without a response may have booked the series, and a preview would then conflict with it.
  const preview = usePreview(isReady ? series : undefined, !isPending && !isOutcomeUnknown(error))
  const taken = takenOf(preview.found, wanted)
  const lessons = (preview.found?.booked.length ?? 0) + taken.size
  return {
    repeat,
    /** The repetition before it was switched off. */
    last,
    setRepeat: (next: WeeklyRepeat | undefined) => {
      if (!next) setLast(chosen)
      setRepeat(next)
      forgetError()
    },
    isOn,
    /** Whether a preview is shown. */
    isPreviewed: isOn && isReady,
    isPossible: series !== undefined,
    preview,
    taken,
    /** The number of lessons to book, alternatives included. */
    lessons,
    /** Chooses an alternative for a refused lesson, or leaves it out. */
    take: (start_at: LocalDateTime, slot: Slot | undefined) => setWanted(withTaken(wanted, start_at, slot)),
    /** Whether there is nothing to book, or no current preview. */
    isBlocked: isOn && (!preview.isCurrent || lessons === 0),
    error,
    isBusy: isPending,
    save: () => series && mutate({ series, taken }),
    forgetError,
  }
}

/** Returns the preview once the form stops changing; the previous one while the next is fetched. */
function usePreview(series: NewSeries | undefined, isAsked: boolean) {
  const asked = series ? withoutText(series) : NOTHING
  const isStill = useIsStill(JSON.stringify(asked), STILL_MS)
  const { data, error, isPlaceholderData } = useQuery({
    ...previewOf(asked),
    enabled: isAsked && isStill && series !== undefined,
    placeholderData: keepPreviousData,
  })
  return {
    found: series && data,
    isCurrent: series !== undefined && data !== undefined && !isPlaceholderData,
    error: series && data === undefined ? error : null,
  }
}

/** A placeholder that is never requested. */
const NOTHING: NewSeries = {
  appointment: { instructor_id: '', student_id: null, lesson_type_id: '', start_at: '', end_at: '' },
  repeat: {},
}

/** Removes title and notes, which no rule depends on, so that editing them requests no new preview. */
function withoutText({ appointment, ...rest }: NewSeries): NewSeries {
  const { title: _, notes: __, ...asked } = appointment
  return { ...rest, appointment: asked }
}

/** Returns the chosen alternatives that are still offered. */
function takenOf(found: Series | undefined, wanted: ChosenAlternatives): ChosenAlternatives {
  const offered = found?.refused.flatMap(({ start_at, alternatives }) => {
    const chosen = wanted.get(start_at)
    const slot = alternatives.find(
      (one) => one.start_at === chosen?.start_at && one.instructor_id === chosen.instructor_id,
    )
    return slot ? [[start_at, slot] as const] : []
  })
  return offered ? new Map(offered) : NONE
}

/** Chooses an alternative. Drops another one at the same time: a student cannot be in two places. */
function withTaken(
  taken: ChosenAlternatives,
  start_at: LocalDateTime,
  slot: Slot | undefined,
): ChosenAlternatives {
  const others = [...taken].filter(
    ([refused, other]) => refused !== start_at && !(slot && overlaps(intervalOf(other), intervalOf(slot))),
  )
  return new Map(slot ? [...others, [start_at, slot] as const] : others)
}
