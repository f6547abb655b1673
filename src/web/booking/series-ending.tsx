import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { dateOf } from '../../domain/local-time.ts'
import { lessonsOfSeries } from '../data/appointments.ts'
import { Button } from '../ui/button.tsx'
import { Confirmation } from '../ui/dialogs/confirmation.tsx'
import { useSchool } from '../ui/school.tsx'
import { cancelFollowing } from './series-actions.ts'

type SeriesEndingProps = {
  readonly lesson: Appointment
  readonly seriesId: string
  readonly isAsking: boolean
  readonly onAsk: (isAsking: boolean) => void
}

/** A button to cancel this and later lessons of a series, after a confirmation with their number; hidden if none is planned. */
export function SeriesEnding({ lesson, seriesId, isAsking, onAsk }: SeriesEndingProps) {
  const { t } = useTranslation()
  const { data } = useQuery(lessonsOfSeries(seriesId))
  const from = dateOf(lesson.start_at)
  const count = data?.filter(
    ({ status, start_at }) => status === 'planned' && dateOf(start_at) >= from,
  ).length
  if (!count && !isAsking) return null
  return (
    <>
      <Button look="remove" onClick={() => onAsk(true)}>
        {t('series.cancelFollowing')}
      </Button>
      {isAsking && (
        <SeriesConfirmation {...{ lesson, seriesId }} count={count ?? 0} onClose={() => onAsk(false)} />
      )}
    </>
  )
}

type ConfirmationProps = {
  readonly lesson: Appointment
  readonly seriesId: string
  readonly count: number
  readonly onClose: () => void
}

function SeriesConfirmation({ lesson, seriesId, count, onClose }: ConfirmationProps) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => cancelFollowing({ client, school, t }, lesson, seriesId),
    onSuccess: onClose,
  })
  return (
    <Confirmation
      title={t('series.cancelTitle')}
      keep={t('series.keep')}
      act={t('series.cancel', { count })}
      isBusy={isPending}
      error={error}
      onAct={() => mutate()}
      onClose={onClose}
    >
      {t('series.cancels', { count, day: school.format.dayInText(dateOf(lesson.start_at)) })}
    </Confirmation>
  )
}
