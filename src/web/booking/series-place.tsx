import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { lessonsOfSeries } from '../api/appointments.ts'

type SeriesPlaceProps = { readonly lesson: Appointment; readonly seriesId: string }

/** The place of a lesson among those of its series that are not deleted. */
export function SeriesPlace({ lesson, seriesId }: SeriesPlaceProps) {
  const { t } = useTranslation()
  const { data } = useQuery(lessonsOfSeries(seriesId))
  const index = data?.findIndex(({ id }) => id === lesson.id) ?? -1
  return (
    <>
      <dt>{t('series.one')}</dt>
      <dd>{data && index >= 0 ? t('series.place', { place: index + 1, count: data.length }) : '…'}</dd>
    </>
  )
}
