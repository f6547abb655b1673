import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewSeries, Series } from '../../../contract/series.ts'
import type { Slot } from '../../../contract/slot.ts'
import { intervalOf, overlaps } from '../../../domain/interval.ts'
import type { LocalDateTime } from '../../../domain/local-time.ts'
import { previewOf } from '../../data/series.ts'
import { isLost } from '../../ui/problem-words.ts'
import { useSchool } from '../../ui/school.tsx'
import { useIsStill } from '../../ui/use-is-still.ts'
import type { LessonForm } from './form.ts'
import { seriesOf, type WeeklyRepeat } from './repeat.ts'
import { bookAll, type Taken, tellSeries } from './series-actions.ts'

/** Nobody has stopped typing before. */
const STILL_MS = 400

const NONE: Taken = new Map()

type Use = {
  readonly form: LessonForm
  /** Whether the first lesson is filled in as it shall be. */
  readonly isReady: boolean
  readonly onDone: () => void
}

export type SeriesInForm = ReturnType<typeof useSeries>

/** The repetition of the lesson in a form: what would be booked, what becomes of the rest, and the booking of it all. */
export function useSeries({ form, isReady, onDone }: Use) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const [repeat, setRepeat] = useState<WeeklyRepeat>()
  const [wanted, setWanted] = useState(NONE)
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: bookAll,
    onSuccess: (gone) => tellSeries({ client, school, t }, gone) && onDone(),
  })
  // A request that is under way would be lost sight of.
  const forgetError = () => {
    if (error) reset()
  }
  const isOn = repeat !== undefined
  const series = repeat && seriesOf(form, repeat)
  // A request without a response may have booked the series: it would find itself in its own way.
  const preview = usePreview(isReady ? series : undefined, !isPending && !isLost(error))
  const taken = takenOf(preview.found, wanted)
  const lessons = (preview.found?.booked.length ?? 0) + taken.size
  return {
    repeat,
    setRepeat: (next: WeeklyRepeat | undefined) => {
      setRepeat(next)
      forgetError()
    },
    isOn,
    /** Whether it says what would be booked. */
    isPreviewed: isOn && isReady,
    isPossible: series !== undefined,
    preview,
    taken,
    /** The number of lessons that would be booked, here or elsewhere. */
    lessons,
    /** Books a refused lesson at another time, or leaves it out. */
    take: (start_at: LocalDateTime, slot: Slot | undefined) => setWanted(withTaken(wanted, start_at, slot)),
    /** Whether there is nothing that could be sent, or nobody has seen yet what that would do. */
    isBlocked: isOn && (!preview.isCurrent || lessons === 0),
    error,
    isBusy: isPending,
    save: () => series && mutate({ series, taken }),
    forgetError,
  }
}

/** Returns the service's preview once the form stands still; the earlier one while the present one is fetched. */
function usePreview(series: NewSeries | undefined, isAsked: boolean) {
  const asked = series ? withoutWords(series) : NOTHING
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

/** It is never asked for. */
const NOTHING: NewSeries = {
  appointment: { instructor_id: '', student_id: null, lesson_type_id: '', start_at: '', end_at: '' },
  repeat: {},
}

/** Only what the rules look at: title and notes change nothing. */
function withoutWords({ appointment, ...rest }: NewSeries): NewSeries {
  const { title: _, notes: __, ...asked } = appointment
  return { ...rest, appointment: asked }
}

/** Returns those of the chosen times that are still offered for the same lessons. */
function takenOf(found: Series | undefined, wanted: Taken): Taken {
  const offered = found?.refused.flatMap(({ start_at, alternatives }) => {
    const chosen = wanted.get(start_at)
    const slot = alternatives.find(
      (one) => one.start_at === chosen?.start_at && one.instructor_id === chosen.instructor_id,
    )
    return slot ? [[start_at, slot] as const] : []
  })
  return offered ? new Map(offered) : NONE
}

/** A student cannot be in two places: another lesson that was to be at that time is left out. */
function withTaken(taken: Taken, start_at: LocalDateTime, slot: Slot | undefined): Taken {
  const others = [...taken].filter(
    ([refused, other]) => refused !== start_at && !(slot && overlaps(intervalOf(other), intervalOf(slot))),
  )
  return new Map(slot ? [...others, [start_at, slot] as const] : others)
}
