import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { WEEKLY } from '../../domain/unit-limits.ts'
import { counted, loadIn } from '../lessons/verdict.ts'
import { useSchool } from '../ui/school.tsx'
import { meterOf } from './meter.ts'

type WeekMeterProps = {
  readonly instructor: Instructor
  readonly date: LocalDate
  readonly lessons: readonly Appointment[]
}

/** An instructor's units of the week beside the limit. */
export function WeekMeter({ instructor, date, lessons }: WeekMeterProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const theirs = lessons.filter(({ instructor_id }) => instructor_id === instructor.id)
  const load = loadIn(WEEKLY, date, counted(theirs, school), instructor, school.tenant.unit_minutes)
  const { units, label, level, filled } = meterOf(load, 'week', school, t)
  return (
    <div className={`meter meter-${level}`} title={label}>
      <span className="meter-track">
        <span className="meter-bar" style={{ inlineSize: `${filled}%` }} />
      </span>
      <span className="meter-text">{units}</span>
    </div>
  )
}
