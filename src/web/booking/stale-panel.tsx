import { Button, Group, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { Notice } from '../ui/notice.tsx'
import { nameOf, type School, useSchool } from '../ui/school.tsx'
import { endOf, formOf, type LessonForm } from './form.ts'

type StalePanelProps = {
  readonly form: LessonForm
  readonly theirs: Appointment
  readonly onKeepMine: () => void
  readonly onTakeTheirs: () => void
}

/** Two clerks have changed one lesson: both versions side by side, and the choice. */
export function StalePanel({ form, theirs, onKeepMine, onTakeTheirs }: StalePanelProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const mine = shown(form, school)
  const other = shown(formOf(theirs), school)
  const fields = (Object.keys(mine) as (keyof typeof mine)[]).filter((field) => mine[field] !== other[field])
  return (
    <Notice kind="warn" title={t('stale.title')} isAnswer>
      <p>{t('stale.intro')}</p>
      <Table my="sm" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th />
            <Table.Th>{t('stale.mine')}</Table.Th>
            <Table.Th>{t('stale.theirs')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => (
            <Table.Tr key={field}>
              <Table.Th>{t(`lesson.${field}`)}</Table.Th>
              <Table.Td>{mine[field]}</Table.Td>
              <Table.Td>{other[field]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group>
        <Button onClick={onKeepMine}>{t('stale.keepMine')}</Button>
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
