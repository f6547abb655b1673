import { Button, Group, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { Notice } from '../ui/notice.tsx'
import { nameOf, type School, useSchool } from '../ui/school.tsx'
import { endOf, type LessonForm } from './form.ts'
import css from './stale-panel.module.css'

type StalePanelProps = {
  readonly mine: LessonForm
  readonly theirs: LessonForm
  /** The lesson's status as it was seen here, and as it is now. */
  readonly status: readonly [Appointment['status'], Appointment['status']]
  /** What is saved if the changes made here are kept. */
  readonly kept: LessonForm
  readonly onKeep: (kept: LessonForm) => void
  readonly onTakeTheirs: () => void
}

/** Two clerks have changed one lesson: both versions side by side, what will hold of them, and the choice. */
export function StalePanel({ mine, theirs, status, kept, onKeep, onTakeTheirs }: StalePanelProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [here, there, result] = [mine, theirs, kept].map((form) => shown(form, school))
  if (!here || !there || !result) return null
  const fields = (Object.keys(here) as (keyof typeof here)[]).filter((field) => here[field] !== there[field])
  const mark = (holds: boolean) => (holds ? css.holds : css.yields)
  return (
    <Notice kind="warn" title={t('stale.title')} isAnswer>
      <p>{t('stale.intro')}</p>
      <Table my="sm" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th scope="col">{t('stale.mine')}</Table.Th>
            <Table.Th scope="col">{t('stale.theirs')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {status[0] !== status[1] && (
            <Table.Tr>
              <Table.Th scope="row">{t('lesson.status')}</Table.Th>
              <Table.Td className={css.yields}>{t(`lesson.${status[0]}`)}</Table.Td>
              <Table.Td className={css.holds}>{t(`lesson.${status[1]}`)}</Table.Td>
            </Table.Tr>
          )}
          {fields.map((field) => (
            <Table.Tr key={field}>
              <Table.Th scope="row">{t(`lesson.${field}`)}</Table.Th>
              <Table.Td className={mark(result[field] === here[field])}>{here[field]}</Table.Td>
              <Table.Td className={mark(result[field] === there[field])}>{there[field]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group>
        <Button onClick={() => onKeep(kept)}>{t('stale.keepMine')}</Button>
        <Button variant="default" onClick={onTakeTheirs}>
          {t('stale.takeTheirs')}
        </Button>
      </Group>
    </Notice>
  )
}

function shown(form: LessonForm, { student, instructor, lessonType, format }: School) {
  const name = (person?: Parameters<typeof nameOf>[0]) => (person ? nameOf(person) : '–')
  return {
    student: name(student.get(form.student_id ?? '')),
    instructor: name(instructor.get(form.instructor_id)),
    type: lessonType.get(form.lesson_type_id)?.name ?? '–',
    date: format.day(form.date),
    start: form.start,
    end: endOf(form),
    title: form.title,
    notes: form.notes,
  }
}
