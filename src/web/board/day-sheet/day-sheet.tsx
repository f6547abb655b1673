import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import type { Instructor } from '../../../contract/instructor.ts'
import type { Progress } from '../../../contract/progress.ts'
import { isCounted } from '../../../domain/counted.ts'
import { type LocalDate, timeOf } from '../../../domain/local-time.ts'
import { vacationWithin } from '../../../domain/vacation.ts'
import { studentNameOf, workedText } from '../../lessons/lesson-texts.ts'
import { loadOf } from '../../lessons/load.ts'
import { meterOf } from '../../lessons/meter.ts'
import { useMarks } from '../../lessons/use-marks.ts'
import { nameOf, useSchool } from '../../ui/school.tsx'
import css from './day-sheet.module.css'
import { SheetLine } from './sheet-line.tsx'

type DaySheetProps = {
  readonly instructor: Instructor
  readonly day: LocalDate
  /** The lessons of the day, sorted by start; may include other instructors' lessons. */
  readonly lessons: readonly Appointment[]
  /** All lessons of the ISO week, by which those over a limit are marked. */
  readonly week: readonly Appointment[]
  /** By the student's id. */
  readonly progress: ReadonlyMap<string, Progress>
}

/** Shows one instructor's day for paper, with phone numbers, notes and open requirements. */
export function DaySheet({ instructor, day, lessons, week, progress }: DaySheetProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const theirs = lessons.filter(({ instructor_id }) => instructor_id === instructor.id)
  const counted = theirs.filter(isCounted)
  const cancelled = theirs.filter((lesson) => !isCounted(lesson))
  const vacation = vacationWithin(day, day, instructor.vacations)
  const load = meterOf(loadOf(instructor, day, lessons, school).day, 'day', school, t)
  return (
    <section className={css.sheet} aria-label={nameOf(instructor)}>
      <header className={css.head} data-names-school>
        <p className={css.school}>{school.tenant.name}</p>
        <h2>{nameOf(instructor)}</h2>
        <p className={css.date}>{school.format.longDay(day)}</p>
        <p className={css.load}>{[load.label, workedText(counted, school, t)].filter(Boolean).join(' · ')}</p>
      </header>
      {vacation && <p className={css.away}>{t('daySheet.away')}</p>}
      {counted.length === 0 ? (
        <p>{t('daySheet.none')}</p>
      ) : (
        <Lines {...{ progress, week }} lessons={counted} />
      )}
      {cancelled.length > 0 && (
        <p className={css.cancelled}>
          {t('daySheet.cancelled', {
            who: cancelled
              .map((lesson) => `${timeOf(lesson.start_at)} ${studentNameOf(lesson, school, t)}`)
              .join(', '),
          })}
        </p>
      )}
    </section>
  )
}

type LinesProps = Pick<DaySheetProps, 'lessons' | 'week' | 'progress'>

function Lines({ lessons, week, progress }: LinesProps) {
  const { t } = useTranslation()
  const markOf = useMarks(week)
  return (
    <table className={css.lines}>
      <thead>
        <tr>
          <th>{t('daySheet.time')}</th>
          <th>{t('field.student')}</th>
          <th>{t('field.lesson_type')}</th>
          <th>{t('field.notes')}</th>
        </tr>
      </thead>
      {lessons.map((lesson) => (
        <SheetLine
          key={lesson.id}
          lesson={lesson}
          mark={markOf(lesson)}
          progress={progress.get(lesson.student_id ?? '')}
        />
      ))}
    </table>
  )
}
