import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../../contract/student.ts'
import { needsTrailer } from '../../../domain/lesson-vehicles.ts'
import { dateOf, type LocalDate } from '../../../domain/local-time.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { suitsClass } from '../../../domain/vehicles.ts'
import type { BookingStart } from '../../booking/form.ts'
import { firstSlotWhere } from '../../data/slots.ts'
import { whenText } from '../../lessons/lesson-texts.ts'
import { practicalTestOf } from '../../lessons/practical-test.ts'
import { Button } from '../../ui/button.tsx'
import { nameOf, type School, useSchool } from '../../ui/school.tsx'
import css from './students-page.module.css'

type NextExamProps = {
  readonly student: Student
  /** The first day of another attempt, if one has failed. */
  readonly earliest: LocalDate | null
  readonly onBook: (start: BookingStart) => void
}

/** Shows the next time for the student's practical test; nothing if the school offers none. */
export function NextExam({ student, earliest, onBook }: NextExamProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const type = practicalTestOf(school)
  const today = localToday(new Date(), school.tenant.timezone)
  const { data: slot } = useQuery({
    ...firstSlotWhere({
      lesson_type_id: type?.id ?? '',
      minutes: String(type?.default_minutes ?? ''),
      order: 'time',
      student_id: student.id,
      ...vehicleFor(student, school),
      ...(earliest !== null && earliest > today && { from: earliest }),
    }),
    enabled: type !== undefined,
  })
  if (!type || slot === undefined) return null
  if (slot === null) return <p className={css.exam}>{t('exam.noSlot')}</p>
  const { instructor_id, start_at, end_at, vehicle_ids } = slot
  const instructor = school.instructor.get(instructor_id)
  const who = [instructor && nameOf(instructor), ...vehicle_ids.map((id) => school.vehicle.get(id)?.name)]
  const start = {
    ...{ instructor_id, start_at, end_at, lesson_type_id: type.id },
    ...(vehicle_ids.length > 0 && { vehicle_ids }),
  }
  return (
    <p className={css.exam}>
      <Button
        icon="plus"
        onClick={() => onBook({ ...start, date: dateOf(start_at), student_id: student.id })}
      >
        {t('exam.nextSlot', { when: whenText(slot, school), who: who.filter(Boolean).join(', ') })}
      </Button>
    </p>
  )
}

/** Returns the kind of vehicle for the exam: one that suits the class, if the school has any; with a trailer, the usual ones. */
function vehicleFor({ license_class_template_id }: Student, { templates, vehicles }: School) {
  const template = templates.find(({ id }) => id === license_class_template_id)
  if (needsTrailer(template)) return { vehicle: 'usual' } as const
  const suiting = vehicles.filter(
    ({ active, kind, license_classes }) =>
      active && kind !== 'trailer' && suitsClass(license_classes, template?.license_class ?? null),
  )
  const [chosen] = suiting.toSorted(
    (a, b) => Math.sign(b.license_classes.length) - Math.sign(a.license_classes.length),
  )
  return chosen && ({ vehicle: 'any', vehicle_kind: chosen.kind } as const)
}
