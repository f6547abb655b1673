import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewAppointment } from '../../contract/appointment.ts'
import { isLocalDateTime } from '../../domain/local-time.ts'
import { MAX_LESSONS_OF_A_BATCH } from '../../domain/ranges.ts'
import { bookBatch, refusedPlaceIn } from '../data/batch.ts'
import { allChosen, type ChosenSlot, type SlotSelection, toggled, toggledKept } from '../slots/several.ts'
import { useSchool } from '../ui/school.tsx'
import { type LessonForm, newAppointmentOf, withPlace, withVehicles } from './form.ts'
import { reportSeries } from './series-actions.ts'

type SeveralOptions = {
  readonly form: LessonForm
  /** Puts another of the chosen times into the form. */
  readonly fill: (form: LessonForm) => void
  /** Whether the search chooses a vehicle for each time; otherwise the usual ones follow the instructor. */
  readonly isWithVehicle: boolean
  readonly onDone: () => void
}

export type SeveralState = ReturnType<typeof useSeveral>

/** Returns the times chosen in addition to the form's; all of them are booked, or none. */
export function useSeveral({ form, fill, isWithVehicle, onDone }: SeveralOptions) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const [kept, setKept] = useState<readonly ChosenSlot[]>([])
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: async (lessons: readonly NewAppointment[]) => {
      const sets: string[] = []
      return { booked: await bookBatch(lessons, { client, sets }), sets }
    },
    onSuccess: async (gone) =>
      (await reportSeries({ client, school, t }, { ...gone, elsewhere: [], failed: [], leftOut: 0 })) &&
      onDone(),
  })
  const choosing: SlotSelection = { kept, current: currentOf(form, isWithVehicle) }
  const chosen = allChosen(choosing)
  const lessons = chosen.map((time) => newAppointmentOf(withVehicles(form, withPlace(form, time), school)))
  const place = refusedPlaceIn(error)
  const choose = (next: SlotSelection) => {
    setKept(next.kept)
    if (error) reset()
    if (next.current && next.current !== choosing.current) fill(withPlace(form, next.current))
  }
  return {
    chosen,
    lessons,
    isOn: chosen.length > 1,
    isTooMany: chosen.length > MAX_LESSONS_OF_A_BATCH,
    isKeeping: kept.length > 0,
    error,
    /** The refused lesson, because of which none was booked. */
    refused: place === undefined ? undefined : lessons[place],
    isBusy: isPending,
    toggle: ({ vehicle_ids, ...time }: ChosenSlot) =>
      choose(toggled(choosing, { ...time, ...(isWithVehicle && vehicle_ids && { vehicle_ids }) })),
    keep: () => choose(toggledKept(choosing)),
    clear: () => setKept([]),
    save: () => mutate(lessons),
    // A pending request must stay visible.
    forgetError: () => {
      if (error) reset()
    },
  }
}

function currentOf(
  { instructor_id, date, start, vehicle_ids }: LessonForm,
  isWithVehicle: boolean,
): ChosenSlot | undefined {
  const start_at = `${date} ${start}`
  if (instructor_id === '' || !isLocalDateTime(start_at)) return undefined
  return { instructor_id, start_at, ...(isWithVehicle && { vehicle_ids }) }
}
