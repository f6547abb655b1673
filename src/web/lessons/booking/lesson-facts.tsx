import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import type { Cancellation } from '../../../domain/cancellation.ts'
import { intervalOf, minutesOf } from '../../../domain/interval.ts'
import { unitsOf } from '../../../domain/units.ts'
import { lessonsOfSeries } from '../../data/appointments.ts'
import { cancellationWords } from '../../ui/cancellation-texts.ts'
import { ContactLinks } from '../../ui/contact-links.tsx'
import css from '../../ui/facts.module.css'
import { momentText } from '../../ui/moment-text.ts'
import { PlaceLink } from '../../ui/place-link.tsx'
import { nameOf, useSchool } from '../../ui/school.tsx'
import { useNow } from '../../ui/use-now.ts'
import { comingWarningsOf } from '../coming-warnings.ts'
import { whenText } from '../lesson-texts.ts'
import { misplacedFor, misplacedWords } from '../misplaced.ts'
import { warningMessages } from '../warning-messages.ts'
import { WarningNotice } from './warning-notice.tsx'

export function LessonFacts({ lesson }: { lesson: Appointment }) {
  const school = useSchool()
  const { t } = useTranslation()
  const student = school.student.get(lesson.student_id ?? '')
  const instructor = school.instructor.get(lesson.instructor_id)
  const type = school.lessonType.get(lesson.lesson_type_id)
  const misplaced = instructor && misplacedFor(lesson, instructor, school.days?.closed)
  const warnings = comingWarningsOf(lesson, school, useNow())
  const minutes = minutesOf(intervalOf(lesson))
  const units = school.format.units(unitsOf(minutes, school.tenant.unit_minutes))
  return (
    <>
      {student && <ContactLinks {...student} />}
      <WarningNotice words={warnings.map((warning) => warningMessages(warning, lesson, school, t))} />
      <dl className={css.facts}>
        <dt>{t('lesson.date')}</dt>
        <dd>
          {whenText(lesson, school)}
          <br />
          <span className={css.dimmed}>
            {t('lesson.minutes', { count: minutes })} · {t('lesson.units', { units })}
          </span>
        </dd>
        <dt>{t('lesson.type')}</dt>
        <dd>
          <span className={css.dot} style={{ background: type?.color }} />
          {type?.name ?? lesson.title}
        </dd>
        {lesson.title !== type?.name && (
          <>
            <dt>{t('field.title')}</dt>
            <dd>{lesson.title}</dd>
          </>
        )}
        {lesson.license_class && (
          <>
            <dt>{t('field.license_class_template_id')}</dt>
            <dd>{lesson.license_class}</dd>
          </>
        )}
        <dt>{t('lesson.instructor')}</dt>
        <dd>
          {instructor ? nameOf(instructor) : '–'}
          {misplaced && <span className={css.override}> · {misplacedWords(misplaced, t)}</span>}
        </dd>
        {lesson.topic && (
          <>
            <dt>{t('field.topic')}</dt>
            <dd>{lesson.topic}</dd>
          </>
        )}
        {lesson.vehicle_ids.length > 0 && (
          <>
            <dt>{t('field.vehicle_ids')}</dt>
            <dd>{lesson.vehicle_ids.map((id) => school.vehicle.get(id)?.name ?? '–').join(', ')}</dd>
          </>
        )}
        <dt>{t('lesson.status')}</dt>
        <dd>
          {t(`lesson.${lesson.status}`)}
          {lesson.confirmed_at && (
            <>
              <br />
              <span className={css.dimmed}>
                {t('studentActions.confirmed', { at: momentText(lesson.confirmed_at, school) })}
              </span>
            </>
          )}
          {lesson.overrides_used.length > 0 && (
            <>
              <br />
              <span className={css.override}>{t('lesson.overrideUsed')}</span>
            </>
          )}
        </dd>
        {lesson.cancellation && <CancellationFacts cancellation={lesson.cancellation} />}
        {lesson.series_id !== null && <SeriesPlace lesson={lesson} seriesId={lesson.series_id} />}
        {lesson.actual_start_at !== null && lesson.actual_end_at !== null && (
          <>
            <dt>{t('lesson.actual')}</dt>
            <dd>{whenText({ start_at: lesson.actual_start_at, end_at: lesson.actual_end_at }, school)}</dd>
          </>
        )}
        {lesson.location_id && (
          <>
            <dt>{t('location.one')}</dt>
            <dd>{school.location.get(lesson.location_id)?.name ?? '–'}</dd>
          </>
        )}
        {lesson.pickup_place && (
          <>
            <dt>{t('field.pickup_place')}</dt>
            <dd>
              <PlaceLink place={lesson.pickup_place} />
            </dd>
          </>
        )}
        {lesson.practised && (
          <>
            <dt>{t('field.practised')}</dt>
            <dd className={css.notes}>{lesson.practised}</dd>
          </>
        )}
        {lesson.notes && (
          <>
            <dt>{t('field.notes')}</dt>
            <dd className={css.notes}>{lesson.notes}</dd>
          </>
        )}
      </dl>
    </>
  )
}

type SeriesPlaceProps = { readonly lesson: Appointment; readonly seriesId: string }

/** The lesson's place in its series. */
function SeriesPlace({ lesson, seriesId }: SeriesPlaceProps) {
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

/** Shows party, time, reason and fee of a cancellation; nothing of one by the school without reason, note and fee. */
function CancellationFacts({ cancellation }: { readonly cancellation: Cancellation }) {
  const { by, reason, note, charged } = cancellation
  const school = useSchool()
  const { t } = useTranslation()
  if (by === 'school' && !reason && !note && !charged) return null
  const [words, fee] = cancellationWords(cancellation, school, t)
  return (
    <>
      <dt>{t('cancellation.one')}</dt>
      <dd>
        {words}
        <br />
        <span className={css.dimmed}>{fee}</span>
        {note && <div className={css.notes}>{note}</div>}
      </dd>
    </>
  )
}
