import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { dateOf, timeOf } from '../../domain/local-time.ts'
import { ownTitleOf, studentNameOf } from '../lessons/lesson-texts.ts'
import { ContactLinks } from '../ui/contact-links.tsx'
import { ExamResult } from '../ui/exam-result.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { useSchool } from '../ui/school.tsx'
import { ActualTimes } from './actual-times.tsx'
import { Attendance } from './attendance.tsx'
import { LastTime } from './last-time.tsx'
import css from './lesson-panel.module.css'
import { LessonText } from './lesson-text.tsx'
import { BookNext } from './next-lesson.tsx'
import { OpenRequirements } from './open-requirements.tsx'
import type { RecordOutcome } from './outcome.ts'
import { OutcomeButtons } from './outcome-buttons.tsx'
import { LessonChanges } from './own-bookings.tsx'

type LessonPanelProps = {
  readonly lesson: Appointment
  readonly now: string
  readonly mark: RecordOutcome
}

/** A lesson in large type, to be read at a glance: student, end, open requirements, and outcome. */
export function LessonPanel({ lesson, now, mark }: LessonPanelProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const student = school.student.get(lesson.student_id ?? '')
  const type = school.lessonType.get(lesson.lesson_type_id)
  const template = school.templates.find(({ id }) => id === student?.license_class_template_id)
  const { start_at, end_at, status } = lesson
  const hasBegun = start_at <= now || lesson.actual_start_at !== null || lesson.practised !== null
  const count = minutesOf(intervalOf(lesson))
  return (
    <section className={css.panel} style={{ borderInlineStartColor: type?.color }} data-status={status}>
      <p className={css.when}>
        <Position lesson={lesson} now={now} />
        <span className={css.times}>
          {timeOf(start_at)}–{timeOf(end_at)}
        </span>
        <span className={css.dimmed}>{t('lesson.minutes', { count })}</span>
      </p>
      <h2 className={css.who}>{studentNameOf(lesson, school, t)}</h2>
      <p className={css.what}>
        {[
          type?.name,
          lesson.student_id !== null && ownTitleOf(lesson, school),
          template?.name,
          lesson.topic,
          ...lesson.vehicle_ids.map((id) => school.vehicle.get(id)?.name),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {lesson.pickup_place && (
        <p className={css.what}>
          <PlaceLink place={lesson.pickup_place} />
        </p>
      )}
      {status === 'cancelled' && <p className={css.cancelled}>{t('lesson.cancelled')}</p>}
      {student && <ContactLinks {...student} email={null} />}
      <Attendance {...{ lesson, now, mark }} />
      <ActualTimes {...{ lesson, mark }} />
      <OutcomeButtons {...{ lesson, now, mark }} look="primary" />
      <LessonChanges lesson={lesson} />
      <BookNext {...{ lesson, now }} />
      <ExamResult lesson={lesson} onChange={(change) => void mark(lesson, change)} />
      {student && <LastTime lesson={lesson} />}
      <LessonText lesson={lesson} field="notes" />
      {hasBegun && <LessonText lesson={lesson} field="practised" />}
      {student && <OpenRequirements studentId={student.id} />}
    </section>
  )
}

function Position({ lesson: { start_at, end_at, status }, now }: Pick<LessonPanelProps, 'lesson' | 'now'>) {
  const { t } = useTranslation()
  if (status === 'cancelled' || end_at <= now || dateOf(start_at) !== dateOf(now)) return null
  return <strong className={css.position}>{t(start_at <= now ? 'today.now' : 'today.next')}</strong>
}
