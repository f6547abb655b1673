import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { dateOf } from '../../domain/local-time.ts'
import { lessonsOfSeries } from '../data/appointments.ts'
import { Button } from '../ui/button.tsx'
import { Deferred } from '../ui/deferred.tsx'
import { Confirmation } from '../ui/dialogs/confirmation.tsx'
import { useSchool } from '../ui/school.tsx'
import { cancelFollowing } from './series-actions.ts'

const loadChanging = async () => ({ default: (await import('./booking-dialog.tsx')).SeriesChangeDialog })

/** An act on a lesson of a series and the later ones. */
export type SeriesAct = 'change' | 'cancel'

type SeriesButtonsProps = {
  readonly lesson: Appointment
  readonly seriesId: string
  readonly asked: SeriesAct | undefined
  readonly onAsk: (act: SeriesAct | undefined) => void
}

/** Buttons to change or cancel this and later lessons of a series, each with its dialog; hidden if none is planned. */
export function SeriesButtons({ lesson, seriesId, asked, onAsk }: SeriesButtonsProps) {
  const { t } = useTranslation()
  const { data } = useQuery(lessonsOfSeries(seriesId))
  const from = dateOf(lesson.start_at)
  const count = data?.filter(
    ({ status, start_at }) => status === 'planned' && dateOf(start_at) >= from,
  ).length
  if (!count && !asked) return null
  const onClose = () => onAsk(undefined)
  return (
    <>
      <Button onClick={() => onAsk('change')}>{t('series.changeFollowing')}</Button>
      <Button look="remove" onClick={() => onAsk('cancel')}>
        {t('series.cancelFollowing')}
      </Button>
      {asked === 'change' && <Deferred load={loadChanging} props={{ lesson, seriesId, onClose }} />}
      {asked === 'cancel' && <SeriesConfirmation {...{ lesson, seriesId, onClose }} count={count ?? 0} />}
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
