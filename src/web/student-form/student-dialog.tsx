import { type PropsWithChildren, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewStudent, Student } from '../../contract/student.ts'
import { blankOf, type NameOf, namesOf } from '../../domain/fields.ts'
import { STUDENT_CHANNELS } from '../../domain/message-channels.ts'
import { languagesOf, type StudentLanguage } from '../../domain/page-languages.ts'
import { PERSON_FIELDS } from '../../domain/person-fields.ts'
import { LESSONS_A_WEEK } from '../../domain/ranges.ts'
import type { StudentContact } from '../../domain/student-contacts.ts'
import { STUDENT_FIELDS } from '../../domain/student-fields.ts'
import { isChanged } from '../ui/changed-fields.ts'
import { Choice } from '../ui/dialogs/choice.tsx'
import { DateField } from '../ui/dialogs/date-field.tsx'
import { FieldOfKind, type OwnFields } from '../ui/dialogs/field-of-kind.tsx'
import { FormDialog } from '../ui/dialogs/form-dialog.tsx'
import { NumberField } from '../ui/dialogs/number-field.tsx'
import { PersonFields } from '../ui/dialogs/person-fields.tsx'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { SaveNotice } from '../ui/failure-notice.tsx'
import { type FormValues, formValuesOf, wireValuesOf } from '../ui/form-values.ts'
import { languageName } from '../ui/language-name.ts'
import layout from '../ui/layout.module.css'
import { offeredTemplates } from '../ui/offered-classes.ts'
import { nameOf, useSchool } from '../ui/school.tsx'
import { STUDENT_REQUESTS } from '../ui/undo/student-steps.ts'
import { useSavePerson } from '../ui/undo/use-save-person.ts'
import { ContactFields, contactsOf } from './contact-fields.tsx'
import { type PriorClasses, PriorClassesField } from './prior-classes-field.tsx'
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
  const [priorClasses, setPriorClasses] = useState<PriorClasses>(null)
  const take = (taken: Student) => {
    onSaved(taken)
    onClose()
  }
  // They are those of the training that begins; later its own form has them.
  const isAsked = !student && form.license_class_template_id !== ''
  const { save, error, isBusy } = useSavePerson(student, STUDENT_REQUESTS, take)

  return (
    <FormDialog
      title={t(student ? 'student.edit' : 'student.add')}
      submit={t('action.save')}
      size="lg"
      isBusy={isBusy}
      isFilled={isChanged(form, opened) || priorClasses !== null}
      onSubmit={() => save({ ...studentOf(form), ...(isAsked && { prior_classes: priorClasses }) })}
      onClose={onClose}
    >
      <StudentFields
        form={form}
        held={opened.license_class_template_id}
        priorClasses={isAsked && <PriorClassesField value={priorClasses} onChange={setPriorClasses} />}
        onChange={(change) => setForm({ ...form, ...change })}
      >
        {!student && <SameStudents described={studentOf(form)} taking={taking} onTake={take} />}
      </StudentFields>
      <ContactFields contacts={form.contacts} onChange={(contacts) => setForm({ ...form, contacts })} />
      <SaveNotice error={error} />
    </FormDialog>
  )
}

type StudentFieldsProps = PropsWithChildren<{
  readonly form: StudentForm
  /** The student's class. */
  readonly held: string | null
  /** The field below the class. */
  readonly priorClasses: ReactNode
  readonly onChange: (change: Partial<StudentForm>) => void
}>

/** The fields of a student, with children below the name fields. Longer texts come last. */
function StudentFields({ form, held, priorClasses, onChange, children }: StudentFieldsProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const own: OwnFields<typeof STUDENT_FIELDS> = {
    birth_date: (
      <DateField
        label={t('field.birth_date')}
        kind="birth"
        isOptional
        value={form.birth_date}
        onChange={(birth_date) => onChange({ birth_date })}
      />
    ),
    license_class_template_id: (
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
    ),
    preferred_instructor_id: (
      <Choice
        label={t('field.preferred_instructor_id')}
        data={school.instructors.map((one) => ({ value: one.id, label: nameOf(one) }))}
        value={form.preferred_instructor_id || null}
        onChange={(id) => onChange({ preferred_instructor_id: id ?? '' })}
        clearable
      />
    ),
    lessons_per_week: (
      <NumberField
        label={t('field.lessons_per_week')}
        placeholder="1"
        {...LESSONS_A_WEEK}
        value={form.lessons_per_week}
        onChange={(lessons_per_week) => onChange({ lessons_per_week })}
      />
    ),
    language: (
      <Choice
        label={t('field.language')}
        data={languagesOf(school.tenant.country).map((value) => ({
          value,
          label: languageName(value, school.format),
        }))}
        placeholder={languageName(school.tenant.locale, school.format)}
        value={form.language || null}
        onChange={(language) => onChange({ language: (language as StudentLanguage) ?? null })}
        clearable
      />
    ),
    messages_consent: (
      <SwitchField
        label={t('messages.consent')}
        isOn={form.messages_consent}
        onChange={(messages_consent) => onChange({ messages_consent })}
      />
    ),
    message_channel: form.messages_consent && (
      <Choice
        label={t('field.message_channel')}
        data={STUDENT_CHANNELS.map((value) => ({ value, label: t(`messages.channel.${value}`) }))}
        value={form.message_channel}
        onChange={(chosen) =>
          onChange({ message_channel: STUDENT_CHANNELS.find((one) => one === chosen) ?? 'mail' })
        }
      />
    ),
  }
  const field = (name: StudentField) => (
    <FieldOfKind key={name} fields={STUDENT_FIELDS} name={name} values={form} own={own} onChange={onChange} />
  )
  return (
    <>
      <PersonFields value={form} onChange={onChange} />
      {children}
      <div className={layout.pair}>{PAIR.map(field)}</div>
      {priorClasses}
      {REST.map(field)}
    </>
  )
}

type StudentField = NameOf<typeof STUDENT_FIELDS>

const PAIR: readonly StudentField[] = ['birth_date', 'license_class_template_id']
const PLACED: ReadonlySet<string> = new Set([...namesOf(PERSON_FIELDS), ...PAIR])
const REST = namesOf(STUDENT_FIELDS)
  .filter((name) => !PLACED.has(name))
  .toSorted((a, b) => Number(isLong(a)) - Number(isLong(b)))

function isLong(name: StudentField): boolean {
  return STUDENT_FIELDS[name].kind === 'text'
}

type Described = Pick<Student, keyof typeof STUDENT_FIELDS>
type StudentForm = FormValues<Described> & { readonly contacts: readonly StudentContact[] }

function studentFormOf(student: Described & Pick<StudentForm, 'contacts'>): StudentForm {
  return { ...formValuesOf(STUDENT_FIELDS, student), contacts: student.contacts }
}

/** Returns an empty form; the last word of the name becomes the last name. */
function newStudentForm(name: string): StudentForm {
  const parts = name.trim().split(/\s+/)
  const [first_name, last_name] = [parts.slice(0, -1).join(' '), parts.at(-1) ?? '']
  return studentFormOf({
    ...blankOf(STUDENT_FIELDS),
    messages_consent: false,
    message_channel: 'mail',
    contacts: [],
    first_name,
    last_name,
  })
}

function studentOf(form: StudentForm): NewStudent {
  return { ...form, ...wireValuesOf(STUDENT_FIELDS, form), contacts: contactsOf(form.contacts) }
}
