import { Select, SimpleGrid, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../contract/student.ts'
import { NOTES_LENGTH } from '../../domain/ranges.ts'
import { changeStudent, enrolStudent } from '../api/students.ts'
import { DateField } from '../ui/date-field.tsx'
import { Dates } from '../ui/dates.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PersonFields } from '../ui/person-fields.tsx'
import { SaveNotice } from '../ui/save-notice.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import { useSavePerson } from '../ui/use-save-person.ts'
import { newStudentForm, type StudentForm, studentFormOf, studentOf } from './student-form.ts'

const VERBS = { create: enrolStudent, change: changeStudent }

type StudentDialogProps = {
  /** Nobody yet for one who is new. */
  readonly student: Student | undefined
  /** What has been typed already of a new one's name. */
  readonly name?: string
  readonly onSaved: (student: Student) => void
  readonly onClose: () => void
}

export default function StudentDialog({ student, name = '', onSaved, onClose }: StudentDialogProps) {
  const { t } = useTranslation()
  const [form, setForm] = useState(() => (student ? studentFormOf(student) : newStudentForm(name)))
  const { save, error, isBusy } = useSavePerson(student, VERBS, (saved) => {
    onSaved(saved)
    onClose()
  })

  return (
    <Dates>
      <FormDialog
        title={t(student ? 'student.edit' : 'student.add')}
        submit={t('action.save')}
        size="lg"
        isBusy={isBusy}
        onSubmit={() => save(studentOf(form))}
        onClose={onClose}
      >
        <StudentFields form={form} onChange={(change) => setForm({ ...form, ...change })} />
        <SaveNotice error={error} />
      </FormDialog>
    </Dates>
  )
}

type StudentFieldsProps = {
  readonly form: StudentForm
  readonly onChange: (change: Partial<StudentForm>) => void
}

function StudentFields({ form, onChange }: StudentFieldsProps) {
  const { templates, instructors } = useSchool()
  const { t } = useTranslation()
  return (
    <>
      <PersonFields value={form} onChange={onChange} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DateField
          label={t('person.birthDate')}
          value={form.birth_date}
          onChange={(birth_date) => onChange({ birth_date })}
          // Nobody was born this month.
          defaultLevel={form.birth_date ? 'month' : 'decade'}
          clearable
          clearButtonProps={{ 'aria-label': t('action.delete') }}
        />
        <Select
          label={t('student.class')}
          data={templates.map(({ id, name }) => ({ value: id, label: name }))}
          value={form.license_class_template_id}
          onChange={(license_class_template_id) => onChange({ license_class_template_id })}
          searchable
          clearable
        />
      </SimpleGrid>
      <Select
        label={t('student.preferred')}
        data={instructors.map((one) => ({ value: one.id, label: nameOf(one) }))}
        value={form.preferred_instructor_id}
        onChange={(preferred_instructor_id) => onChange({ preferred_instructor_id })}
        searchable
        clearable
      />
      <Textarea
        label={t('person.notes')}
        value={form.notes}
        onChange={({ currentTarget }) => onChange({ notes: currentTarget.value })}
        maxLength={NOTES_LENGTH.max}
        autosize
        minRows={2}
      />
    </>
  )
}
