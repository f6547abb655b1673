import { Button, Drawer, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../contract/student.ts'
import { localNow } from '../../domain/time-zone.ts'
import { lessonsOfStudent } from '../api/appointments.ts'
import { History } from '../changes/history.tsx'
import { Icon } from '../ui/icon.tsx'
import '../ui/mantine.css'
import { nameOf, useSchool } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { useFocusReturn } from '../ui/use-focus-return.ts'
import { DeleteStudent } from './delete-student.tsx'
import { LessonList } from './lesson-list.tsx'
import css from './student-card.module.css'
import { StudentFacts } from './student-facts.tsx'
import { StudentProgress } from './student-progress.tsx'

type StudentCardProps = {
  readonly student: Student
  readonly onBook: () => void
  readonly onEdit: () => void
  readonly onClose: () => void
}

/** All about a student: how to reach them, how far they are, what they have had and will have. */
export default function StudentCard({ student, onBook, onEdit, onClose }: StudentCardProps) {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  const [isDeleting, setDeleting] = useState(false)
  useFocusReturn()
  const { data: lessons, error, isError, refetch } = useQuery(lessonsOfStudent(student.id))
  const now = localNow(new Date(), tenant.timezone)
  const coming = lessons?.filter(({ start_at }) => start_at > now) ?? []
  const past = lessons?.filter(({ start_at }) => start_at <= now).toReversed() ?? []

  return (
    <Drawer
      opened
      onClose={onClose}
      closeOnEscape={!isDeleting}
      position="right"
      size={460}
      title={nameOf(student)}
      styles={{ title: { fontWeight: 600, fontSize: '1.125rem' } }}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <StudentFacts student={student} />
      <Group gap="xs" mb="lg">
        <Button leftSection={<Icon name="plus" />} onClick={onBook}>
          {t('action.book')}
        </Button>
        <Button variant="default" leftSection={<Icon name="edit" />} onClick={onEdit}>
          {t('action.edit')}
        </Button>
        <Button
          variant="subtle"
          color="red"
          leftSection={<Icon name="trash" />}
          onClick={() => setDeleting(true)}
        >
          {t('action.delete')}
        </Button>
      </Group>
      <h2 className={css.heading}>{t('student.progress')}</h2>
      <StudentProgress studentId={student.id} />
      {lessons && (
        <>
          <h2 className={css.heading}>{t('student.coming')}</h2>
          <LessonList lessons={coming} />
          <h2 className={css.heading}>{t('student.past')}</h2>
          <LessonList lessons={past} />
        </>
      )}
      {!lessons && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
      <History resource="student" id={student.id} />
      {isDeleting && (
        <DeleteStudent
          student={student}
          cancelled={coming.filter(({ status }) => status === 'planned').length}
          onDeleted={onClose}
          onClose={() => setDeleting(false)}
        />
      )}
    </Drawer>
  )
}
