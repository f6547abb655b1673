import { useQuery } from '@tanstack/react-query'
import type { PropsWithChildren } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Cancellation } from '../../domain/cancellation.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { unitsOf } from '../../domain/units.ts'
import { lessonsOfSeries } from '../data/appointments.ts'
import { comingWarningsOf } from '../lessons/coming-warnings.ts'
import { ownTitleOf, whenText } from '../lessons/lesson-texts.ts'
import { misplacedFor, misplacedText } from '../lessons/misplaced.ts'
import { warningMessages } from '../lessons/warning-messages.ts'
import { cancellationText, feeText } from '../ui/cancellation-texts.ts'
import { ContactLinks } from '../ui/contact-links.tsx'
import css from '../ui/facts.module.css'
import { momentText } from '../ui/moment-text.ts'
import { PlaceLink } from '../ui/place-link.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import { useNow } from '../ui/use-now.ts'
import { WarningNotice } from './warning-notice.tsx'

export function LessonFacts({ lesson }: { lesson: Appointment }) {
  const school = useSchool()
  const { t } = useTranslation()
  const student = school.student.get(lesson.student_id ?? '')
  const instructor = school.instructor.get(lesson.instructor_id)
  const type = school.lessonType.get(lesson.lesson_type_id)
  const misplaced = instructor && misplacedFor(lesson, instructor, school.days?.closed)
  const warnings = comingWarningsOf(lesson, school, useNow())
  const { actual_start_at: start_at, actual_end_at: end_at } = lesson
  const minutes = minutesOf(intervalOf(lesson))
  const units = school.format.units(unitsOf(minutes, school.tenant.unit_minutes))
  return (
    <>
      {student && <ContactLinks {...student} />}
      <WarningNotice warnings={warnings.map((warning) => warningMessages(warning, lesson, school, t))} />
      <dl className={css.facts}>
        <Fact label={t('field.date')}>
          {whenText(lesson, school)}
          <br />
          <span className={css.dimmed}>
            {t('lesson.minutes', { count: minutes })} · {t('lesson.units', { units })}
          </span>
        </Fact>
        <Fact label={t('field.lesson_type')}>
          <span className={css.dot} style={{ background: type?.color }} />
          {type?.name ?? lesson.title}
        </Fact>
        <Fact label={t('field.title')}>{ownTitleOf(lesson, school)}</Fact>
        <Fact label={t('field.license_class_template_id')}>{lesson.license_class}</Fact>
        <Fact label={t('field.instructor')}>
          {instructor ? nameOf(instructor) : '–'}
          {misplaced && <span className={css.override}> · {misplacedText(misplaced, t)}</span>}
        </Fact>
        <Fact label={t('field.topic')}>{lesson.topic}</Fact>
        <Fact label={t('field.vehicle_ids')}>
          {lesson.vehicle_ids.map((id) => school.vehicle.get(id)?.name ?? '–').join(', ')}
        </Fact>
        <Fact label={t('field.status')}>
          <StatusWords lesson={lesson} />
        </Fact>
        {lesson.no_show_fee_percent !== null && (
          <Fact label={t('cancellation.noShowFee')}>{feeText(lesson.no_show_fee_percent, school, t)}</Fact>
        )}
        {lesson.cancellation && <CancellationFact cancellation={lesson.cancellation} />}
        {lesson.series_id !== null && <SeriesPlace lesson={lesson} seriesId={lesson.series_id} />}
        <Fact label={t('lesson.actual')}>{start_at && end_at && whenText({ start_at, end_at }, school)}</Fact>
        <Fact label={t('location.one')}>
          {lesson.location_id && (school.location.get(lesson.location_id)?.name ?? '–')}
        </Fact>
        <Fact label={t('field.pickup_place')}>
          {lesson.pickup_place && <PlaceLink place={lesson.pickup_place} />}
        </Fact>
        <Fact label={t('field.practised')} isNote>
          {lesson.practised}
        </Fact>
        <Fact label={t('field.notes')} isNote>
          {lesson.notes}
        </Fact>
      </dl>
    </>
  )
}

type FactProps = PropsWithChildren<{ readonly label: string; readonly isNote?: boolean }>

/** A line of the list; hidden if empty. */
function Fact({ label, isNote = false, children }: FactProps) {
  if (!children) return null
  return (
    <>
      <dt>{label}</dt>
      <dd className={isNote ? css.notes : undefined}>{children}</dd>
    </>
  )
}

function StatusWords({ lesson }: { readonly lesson: Appointment }) {
  const school = useSchool()
  const { t } = useTranslation()
  return (
    <>
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
    <Fact label={t('series.one')}>
      {data && index >= 0 ? t('series.place', { place: index + 1, count: data.length }) : '…'}
    </Fact>
  )
}

/** The party, time, reason and fee of a cancellation; hidden if the school cancelled without reason, note and fee. */
function CancellationFact({ cancellation }: { readonly cancellation: Cancellation }) {
  const { by, reason, note, charged } = cancellation
  const school = useSchool()
  const { t } = useTranslation()
  if (by === 'school' && !reason && !note && !charged) return null
  const [text, fee] = cancellationText(cancellation, school, t)
  return (
    <Fact label={t('cancellation.one')}>
      {text}
      <br />
      <span className={css.dimmed}>{fee}</span>
      {note && <div className={css.notes}>{note}</div>}
    </Fact>
  )
}
