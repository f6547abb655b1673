import { type PropsWithChildren, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewStudent, Student } from '../../../contract/student.ts'
import { blankOf } from '../../../domain/fields.ts'
import { STUDENT_CHANNELS } from '../../../domain/message-channels.ts'
import { TITLE_LENGTH } from '../../../domain/ranges.ts'
import { STUDENT_FIELDS } from '../../../domain/student-fields.ts'
import { isChanged } from '../../ui/changed-fields.ts'
import { Choice } from '../../ui/dialogs/choice.tsx'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { PersonFields } from '../../ui/dialogs/person-fields.tsx'
import { SwitchField } from '../../ui/dialogs/switch-field.tsx'
import { NotesField, TextField } from '../../ui/dialogs/text-fields.tsx'
import { SaveNotice } from '../../ui/failure-notice.tsx'
import { type FormValues, formValuesOf, wireValuesOf } from '../../ui/form-values.ts'
import layout from '../../ui/layout.module.css'
import { offeredTemplates } from '../../ui/offered-classes.ts'
import { nameOf, useSchool } from '../../ui/school.tsx'
import { STUDENT_REQUESTS } from '../../ui/undo/student-commands.ts'
import { useSavePerson } from '../../ui/undo/use-save-person.ts'
import { type DuplicateAction, SameStudents } from './same-students.tsx'

type StudentDialogProps = {
  /** The student to change; undefined for a new one. */
  readonly student: Student | undefined
  /** The name typed so far. */
  readonly name?: string
  /** The action for an existing student: open the card, or book the lesson. */
  readonly taking?: DuplicateAction
  readonly onSaved: (student: Student) => void
  readonly onClose: () => void
}

/** Enrols or changes a student, and lists probable duplicates. */
export default function StudentDialog({
  student,
  name = '',
  taking = 'open',
  onSaved,
  onClose,
}: StudentDialogProps) {
  const { t } = useTranslation()
  const [opened] = useState(() => (student ? studentFormOf(student) : newStudentForm(name)))
  const [form, setForm] = useState(opened)
  const take = (taken: Student) => {
    onSaved(taken)
    onClose()
  }
  const { save, error, isBusy } = useSavePerson(student, STUDENT_REQUESTS, take)

  return (
    <FormDialog
      title={t(student ? 'student.edit' : 'student.add')}
      submit={t('action.save')}
      size="lg"
      isBusy={isBusy}
      isFilled={isChanged(form, opened)}
      onSubmit={() => save(studentOf(form))}
      onClose={onClose}
    >
      <StudentFields
        form={form}
        held={opened.license_class_template_id}
        onChange={(change) => setForm({ ...form, ...change })}
      >
        {!student && <SameStudents described={studentOf(form)} taking={taking} onTake={take} />}
      </StudentFields>
      <SaveNotice error={error} />
    </FormDialog>
  )
}

type StudentFieldsProps = PropsWithChildren<{
  readonly form: StudentForm
  /** The student's class. */
  readonly held: string | null
  readonly onChange: (change: Partial<StudentForm>) => void
}>

/** The fields of a student, with children below the name fields. */
function StudentFields({ form, held, onChange, children }: StudentFieldsProps) {
  const school = useSchool()
  const { t } = useTranslation()
  return (
    <>
      <PersonFields value={form} onChange={onChange} />
      {children}
      <div className={layout.pair}>
        <DateField
          label={t('field.birth_date')}
          kind="birth"
          isOptional
          value={form.birth_date}
          onChange={(birth_date) => onChange({ birth_date })}
        />
        <Choice
          label={t('field.license_class_template_id')}
          data={offeredTemplates(school, held).map(({ id, name, code }) => ({
            value: id,
            label: name,
            code,
          }))}
          value={form.license_class_template_id || null}
          onChange={(id) => onChange({ license_class_template_id: id ?? '' })}
          clearable
        />
      </div>
      <Choice
        label={t('field.preferred_instructor_id')}
        data={school.instructors.map((one) => ({ value: one.id, label: nameOf(one) }))}
        value={form.preferred_instructor_id || null}
        onChange={(id) => onChange({ preferred_instructor_id: id ?? '' })}
        clearable
      />
      <TextField
        label={t('field.pickup_place')}
        value={form.pickup_place}
        onChange={(pickup_place) => onChange({ pickup_place })}
        maxLength={TITLE_LENGTH.max}
      />
      <SwitchField
        label={t('messages.consent')}
        isOn={form.messages_consent}
        onChange={(messages_consent) => onChange({ messages_consent })}
      />
      {form.messages_consent && (
        <Choice
          label={t('field.message_channel')}
          data={STUDENT_CHANNELS.map((value) => ({ value, label: t(`messages.channel.${value}`) }))}
          value={form.message_channel}
          onChange={(chosen) =>
            onChange({ message_channel: STUDENT_CHANNELS.find((one) => one === chosen) ?? 'mail' })
          }
        />
      )}
      <NotesField label={t('field.notes')} value={form.notes} onChange={(notes) => onChange({ notes })} />
    </>
  )
}

type Described = Pick<Student, keyof typeof STUDENT_FIELDS>
type StudentForm = FormValues<Described>

function studentFormOf(student: Described): StudentForm {
  return formValuesOf(STUDENT_FIELDS, student)
}

/** Returns an empty form; the last word of the name becomes the last name. */
function newStudentForm(name: string): StudentForm {
  const parts = name.trim().split(/\s+/)
  const [first_name, last_name] = [parts.slice(0, -1).join(' '), parts.at(-1) ?? '']
  return studentFormOf({
    ...blankOf(STUDENT_FIELDS),
    messages_consent: false,
    message_channel: 'mail',
    first_name,
    last_name,
  })
}

function studentOf(form: StudentForm): NewStudent {
  return { ...form, ...wireValuesOf(STUDENT_FIELDS, form) }
}
