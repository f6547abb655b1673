import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import type { Progress } from '../../../contract/progress.ts'
import { timeOf } from '../../../domain/local-time.ts'
import { ownTitleOf, studentNameOf } from '../../lessons/lesson-texts.ts'
import { classOf } from '../../lessons/teaching.ts'
import { type School, studentName, useSchool } from '../../ui/school.tsx'
import { numbersOf, telOf } from '../../ui/tel-of.ts'
import css from './day-sheet.module.css'

type SheetLineProps = {
  readonly lesson: Appointment
  /** The reason why the lesson needs attention; empty if there is none. */
  readonly mark: string
  readonly progress: Progress | undefined
}

export function SheetLine({ lesson, mark, progress }: SheetLineProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const student = school.student.get(lesson.student_id ?? '')
  const type = school.lessonType.get(lesson.lesson_type_id)
  const own = ownTitleOf(lesson, school)
  const template = classOf(lesson.student_id, school)
  const where = [...vehiclesOf(lesson, school), placeOf(lesson, school)].filter(Boolean).join(' · ')
  return (
    <tbody>
      <tr>
        <th scope="row" className={css.time}>
          {timeOf(lesson.start_at)}–{timeOf(lesson.end_at)}
          {lesson.actual_start_at !== null && lesson.actual_end_at !== null && (
            <span className={css.small}>
              {t('lesson.actual')} {timeOf(lesson.actual_start_at)}–{timeOf(lesson.actual_end_at)}
            </span>
          )}
          {mark && <span className={css.mark}>{mark}</span>}
          {lesson.status !== 'planned' && (
            <span className={lesson.status === 'completed' ? css.done : css.mark}>
              {t(`lesson.${lesson.status}`)}
            </span>
          )}
        </th>
        <td>
          <strong>{studentNameOf(lesson, school, t)}</strong>
          {student &&
            numbersOf(student).map((number) => (
              <a key={number} className={css.phone} href={telOf(number)}>
                {number}
              </a>
            ))}
          {template && <span className={css.small}>{template.name}</span>}
        </td>
        <td>
          {type?.name}
          {lesson.student_id !== null && own && <span className={css.small}>{own}</span>}
          {lesson.topic && <span className={css.small}>{lesson.topic}</span>}
          {where && <span className={css.small}>{where}</span>}
        </td>
        <td className={css.notes}>
          {lesson.notes}
          {student?.notes && <span className={css.small}>{student.notes}</span>}
        </td>
      </tr>
      {progress && <OpenUnits progress={progress} />}
      {lesson.attendees.length > 0 && <AttendanceSheet lesson={lesson} />}
    </tbody>
  )
}

function vehiclesOf({ vehicle_ids }: Appointment, { vehicle }: School): readonly string[] {
  return vehicle_ids.flatMap((id) => {
    const found = vehicle.get(id)
    return found ? [found.name, found.plate].filter(Boolean).join(' ') : []
  })
}

/** Returns the place where the lesson begins: the pick-up place, or else the branch. */
function placeOf({ pickup_place, location_id }: Appointment, { location }: School): string | undefined {
  return pickup_place ?? location.get(location_id ?? '')?.name
}

/** Lists the students of a class by name, each with a box to tick or the recorded attendance, and a line to sign. */
function AttendanceSheet({ lesson }: { lesson: Appointment }) {
  const school = useSchool()
  const { student, format } = school
  const { t } = useTranslation()
  const names = lesson.attendees
    .map(({ student_id, attended }) => {
      const found = student.get(student_id)
      return { student_id, attended, name: found ? studentName(found, school) : t('lesson.gone') }
    })
    .toSorted((a, b) => format.compare(a.name, b.name))
  return (
    <tr>
      <td />
      <td colSpan={3}>
        <ul className={css.attendees} aria-label={t('field.attendees')}>
          {names.map(({ student_id, attended, name }) => (
            <li key={student_id} data-attended={attended}>
              <span className={css.box} aria-hidden="true">
                {attended === null ? '' : attended ? '✓' : '–'}
              </span>
              <span>{name}</span>
              <span className={css.signature} aria-hidden="true" />
            </li>
          ))}
        </ul>
      </td>
    </tr>
  )
}

/** Shows requirements that are not planned yet, and missing long lessons. */
function OpenUnits({ progress: { requirements } }: { progress: Progress }) {
  const { lessonType } = useSchool()
  const { t } = useTranslation()
  const lines = requirements.flatMap((requirement) => {
    const { lesson_type_id, open_units, block_done, min_one_block_units } = requirement
    const type = lessonType.get(lesson_type_id)?.name ?? ''
    if (open_units > 0) return t('progress.units', { count: open_units, type })
    return block_done === false ? t('progress.block', { count: min_one_block_units ?? 0, type }) : []
  })
  return (
    <tr>
      <td />
      <td colSpan={3} className={css.needed}>
        {t('daySheet.needed')}: {lines.join(' · ') || t('daySheet.nothing')}
      </td>
    </tr>
  )
}
