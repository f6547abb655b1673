import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { loadOf } from '../lessons/load.ts'
import { meterOf } from '../lessons/meter.ts'
import { useSchool } from '../ui/school.tsx'
import { MeterBar } from './meter-bar.tsx'

type WeekMeterProps = {
  readonly instructor: Instructor
  readonly date: LocalDate
  readonly lessons: readonly Appointment[]
}

/** Shows an instructor's units of the week and the limit. */
export function WeekMeter({ instructor, date, lessons }: WeekMeterProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { week } = loadOf(instructor, date, lessons, school)
  return <MeterBar {...meterOf(week, 'week', school, t)} />
}
