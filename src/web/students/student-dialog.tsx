import { Button, Group, Modal, Select, SimpleGrid, Stack, Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../contract/student.ts'
import { DateField } from '../ui/date-field.tsx'
import { Dates } from '../ui/dates.tsx'
import { PersonFields } from '../ui/person-fields.tsx'
import { SaveNotice } from '../ui/save-notice.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import { studentFormOf } from './student-form.ts'
import { useSaveStudent } from './use-save-student.ts'

type StudentDialogProps = {
  /** Nobody yet for one who is new. */
  readonly student: Student | undefined
  readonly onSaved: (student: Student) => void
  readonly onClose: () => void
}

export default function StudentDialog({ student, onSaved, onClose }: StudentDialogProps) {
  const { templates, instructors } = useSchool()
  const { t } = useTranslation()
  const isPhone = useMediaQuery('(max-width: 700px)')
  const [form, setForm] = useState(() => studentFormOf(student))
  const { save, error, isBusy } = useSaveStudent(student, (saved) => {
    onSaved(saved)
    onClose()
  })
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save(form)
  }

  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      fullScreen={isPhone ?? false}
      title={t(student ? 'student.edit' : 'student.add')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Dates>
        <form onSubmit={submit}>
          <Stack>
            <PersonFields value={form} onChange={set} />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <DateField
                label={t('person.birthDate')}
                value={form.birth_date}
                onChange={(birth_date) => set({ birth_date })}
                clearable
                clearButtonProps={{ 'aria-label': t('action.delete') }}
              />
              <Select
                label={t('student.class')}
                data={templates.map(({ id, name }) => ({ value: id, label: name }))}
                value={form.license_class_template_id}
                onChange={(license_class_template_id) => set({ license_class_template_id })}
                searchable
                clearable
              />
            </SimpleGrid>
            <Select
              label={t('student.preferred')}
              data={instructors.map((one) => ({ value: one.id, label: nameOf(one) }))}
              value={form.preferred_instructor_id}
              onChange={(preferred_instructor_id) => set({ preferred_instructor_id })}
              searchable
              clearable
            />
            <Textarea
              label={t('person.notes')}
              value={form.notes}
              onChange={({ currentTarget }) => set({ notes: currentTarget.value })}
              maxLength={5000}
              autosize
              minRows={2}
            />
            <SaveNotice error={error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('action.cancel')}
              </Button>
              <Button type="submit" loading={isBusy}>
                {t('action.save')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dates>
    </Modal>
  )
}
