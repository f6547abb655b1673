import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedStudent, Student } from '../../../contract/student.ts'
import { drivesOf } from '../../../domain/progress.ts'
import type { BookingStart } from '../../booking/form.ts'
import { trainingOfStudents } from '../../data/progress.ts'
import { classOf } from '../../lessons/teaching.ts'
import list from '../../ui/people-list.module.css'
import { familyFirst, nameOf, studentName, useSchool } from '../../ui/school.tsx'
import { ProgressBar } from '../trainings/progress-bar.tsx'
import { kindsLacking } from './lacking.ts'
import { NextExam } from './next-exam.tsx'
import { inStudentOrder, keptOrder, orderAfter, type SortColumn, type StudentOrder } from './student-order.ts'
import type { Lack } from './student-search.ts'
import css from './students-page.module.css'
import { useDoubles } from './use-doubles.ts'

type StudentListProps = {
  readonly found: readonly Student[]
  /** Whether the students are search hits, best first. */
  readonly isSearch: boolean
  /** The records that the students lack; each row names the papers. */
  readonly lacks: Lack | undefined
  readonly onOpen: (id: string) => void
  /** Books an offered exam; if it is left out, none is offered. */
  readonly onBookExam?: ((start: BookingStart) => void) | undefined
}

/** Students sorted by a column; pressing its heading again reverses the order. */
export function StudentList({ found, isSearch, lacks, onOpen, onBookExam }: StudentListProps) {
  const school = useSchool()
  const { data: trained } = useQuery(trainingOfStudents)
  const doubles = useDoubles()
  const [order, setOrder] = useState(keptOrder)
  const shown = useMemo(() => {
    if (isSearch) return found
    const classCode = ({ id }: Student) => classOf(id, school)?.code ?? ''
    return inStudentOrder(found, order, { compare: school.format.compare, classCode, trained })
  }, [found, isSearch, order, school, trained])
  return (
    <div className={`${list.table} ${css.table}`}>
      <Heads order={order} onPress={(column) => setOrder(orderAfter(order, column))} />
      <ul>
        {shown.map((one) => (
          <Row
            key={one.id}
            student={one}
            name={studentName(one, school, order.by === 'family' ? familyFirst : nameOf)}
            trained={trained?.get(one.id)}
            lacks={lacks}
            double={doubleOf(one, doubles)}
            onOpen={onOpen}
            onBookExam={onBookExam}
          />
        ))}
      </ul>
    </div>
  )
}

/** Returns a student's probable double, if they have more than the name in common: namesakes are not worth a line. */
function doubleOf({ id }: Student, doubles: ReturnType<typeof useDoubles>): Student | undefined {
  const found = doubles.get(id)
  return found?.likeness === 'name' ? undefined : found?.person
}

type HeadsProps = { readonly order: StudentOrder; readonly onPress: (column: SortColumn) => void }

function Heads({ order, onPress }: HeadsProps) {
  const { t } = useTranslation()
  const head = (column: SortColumn, text: string) => (
    <button
      type="button"
      className={css.head}
      aria-pressed={order.by === column}
      onClick={() => onPress(column)}
    >
      {text}
      {order.by === column && <span aria-hidden="true">{order.isDown ? ' ↓' : ' ↑'}</span>}
    </button>
  )
  return (
    <fieldset className={`${list.heads} ${css.heads}`} aria-label={t('student.order')}>
      <span>
        {head('given', t('field.first_name'))} {head('family', t('field.last_name'))}
      </span>
      {head('class', t('field.license_class_template_id'))}
      {head('progress', t('student.progress'))}
      {head('phone', t('field.phone'))}
      {head('email', t('field.email'))}
    </fieldset>
  )
}

type RowProps = {
  readonly student: Student
  readonly name: string
  readonly trained: ListedStudent | undefined
  readonly lacks: Lack | undefined
  /** Another student who is probably the same. */
  readonly double: Student | undefined
  readonly onOpen: (id: string) => void
  readonly onBookExam: StudentListProps['onBookExam']
}

function Row({ student, name, trained, lacks, double, onOpen, onBookExam }: RowProps) {
  const { t } = useTranslation()
  const school = useSchool()
  const lacking = lacks ? kindsLacking(lacks, trained) : []
  const template = classOf(student.id, school)
  return (
    <li className={`${list.row} ${css.row}`}>
      <button type="button" onClick={() => onOpen(student.id)}>
        <span className={css.name}>{name}</span>
        <span className={css.class}>{template?.code}</span>
        <span className={css.progress}>
          {student.archived_at !== null && <span className={css.ready}>{t('former.one')}</span>}
          {trained?.progress && <RowProgress progress={trained.progress} />}
          {trained?.readiness?.ready && <span className={css.ready}>{t('exam.ready')}</span>}
        </span>
        <span className={css.phone}>{student.phone}</span>
        <span className={css.email}>{student.email}</span>
      </button>
      {double && (
        <p className={css.double}>{t('merge.possiblyShort', { name: studentName(double, school) })}</p>
      )}
      {lacking.length > 0 && (
        <p className={css.lacking}>{lacking.map((kind) => t(`tick.${kind}`)).join(', ')}</p>
      )}
      {onBookExam && (
        <NextExam
          student={student}
          earliest={trained?.readiness?.earliest_date ?? null}
          onBook={onBookExam}
        />
      )}
    </li>
  )
}

/** A student's progress in drives and theory; empty for a class without requirements. */
function RowProgress({ progress }: { progress: NonNullable<ListedStudent['progress']> }) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const parts = [
    { label: 'progress.sumOfDrives', ...drivesOf(progress) },
    { label: 'progress.sumOfTheory', ...progress.theory },
  ] as const
  const shown = parts.filter(({ required_units }) => required_units > 0)
  if (shown.length === 0) return null
  const label = shown
    .map(({ label, done_units, planned_units, required_units }) =>
      t(label, {
        done: format.units(done_units),
        planned: format.units(planned_units),
        required: format.units(required_units),
      }),
    )
    .join(' · ')
  return (
    <span role="img" aria-label={label} title={label} className={css.bars}>
      {shown.map(({ label, ...units }) => (
        <ProgressBar key={label} {...units} />
      ))}
    </span>
  )
}
