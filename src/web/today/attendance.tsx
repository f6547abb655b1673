import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { Button } from '../ui/button.tsx'
import { studentName, useSchool } from '../ui/school.tsx'
import css from './attendance.module.css'
import { canRecordAttendance, type RecordOutcome } from './outcome.ts'

type AttendanceProps = { readonly lesson: Appointment; readonly now: string; readonly mark: RecordOutcome }

/** The students of a group, each with a switch for attendance. */
export function Attendance({ lesson, now, mark }: AttendanceProps) {
  const school = useSchool()
  const { student, format } = school
  const { t } = useTranslation()
  const { attendees } = lesson
  if (attendees.length === 0) return null
  const isOpen = canRecordAttendance(lesson, now)
  const nameFor = (id: string) => {
    const found = student.get(id)
    return found ? studentName(found, school) : t('lesson.gone')
  }
  const record = (attended: boolean, ids: readonly string[]) =>
    void mark(lesson, { attendees: ids.map((student_id) => ({ student_id, attended })) })
  const unknown = attendees.flatMap((one) => (one.attended === null ? one.student_id : []))
  const listed = attendees
    .map(({ student_id, attended }) => ({ student_id, attended, name: nameFor(student_id) }))
    .toSorted((a, b) => format.compare(a.name, b.name))
  const count = attendees.filter(({ attended }) => attended).length
  return (
    <section className={css.attendance} aria-label={t('today.attendance')}>
      <h3 className={css.heading}>
        {t('today.attendance')}{' '}
        <span role="status">{t('today.present', { count, all: attendees.length })}</span>
      </h3>
      <ul>
        {listed.map(({ student_id, attended, name }) => (
          <li key={student_id}>
            {isOpen ? (
              <Button
                className={css.student}
                look={attended ? 'chosen' : 'plain'}
                icon={attended ? 'check' : undefined}
                aria-pressed={attended === true}
                data-missed={attended === false || undefined}
                onClick={() => record(!attended, [student_id])}
              >
                {name}
              </Button>
            ) : (
              name
            )}
          </li>
        ))}
      </ul>
      {isOpen && unknown.length > 1 && (
        <Button className={css.student} onClick={() => record(true, unknown)}>
          {t('today.allPresent')}
        </Button>
      )}
    </section>
  )
}
