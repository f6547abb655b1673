import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Enrolment } from '../../../contract/enrolment.ts'
import type { Student } from '../../../contract/student.ts'
import { type EnrolmentOutcome, isOpen, OUTCOMES } from '../../../domain/enrolments.ts'
import { TITLE_LENGTH } from '../../../domain/ranges.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { beginEnrolment, changeClass, changeEnrolment, deleteEnrolment } from '../../data/enrolments.ts'
import { PriorClassesField } from '../../student-form/prior-classes-field.tsx'
import { Button } from '../../ui/button.tsx'
import { isSame } from '../../ui/changed-fields.ts'
import { Choice } from '../../ui/dialogs/choice.tsx'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { SwitchField } from '../../ui/dialogs/switch-field.tsx'
import { NotesField, TextField } from '../../ui/dialogs/text-fields.tsx'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'
import { offeredTemplates } from '../../ui/offered-classes.ts'
import { type School, useSchool } from '../../ui/school.tsx'
import { changeOf, type EnrolmentForm, enrolmentOf, formOf, newFormAfter } from './enrolment-form.ts'
import { RecordProblem } from './record-problem.tsx'
import { useRecordWrite } from './use-record-write.ts'

type EnrolmentDialogProps = {
  readonly student: Student
  /** The enrolments of the student. */
  readonly enrolments: readonly Enrolment[]
  /** The one to change; undefined to begin another. */
  readonly enrolment: Enrolment | undefined
  /** The licence class or the code of a template that the student has asked for. */
  readonly wanted?: string | undefined
  readonly onClose: () => void
}

/** Begins a training, changes, ends or deletes one, or replaces its class. */
export function EnrolmentDialog({ student, enrolments, enrolment, wanted, onClose }: EnrolmentDialogProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const today = localToday(new Date(), school.tenant.timezone)
  const [opened] = useState(() => {
    if (enrolment) return formOf(enrolment)
    const offered = offeredTemplates(school, null)
    const template =
      offered.find(({ code }) => code === wanted) ??
      offered.find(({ license_class }) => license_class === wanted)
    return newFormAfter(enrolments, today, template?.id)
  })
  const [form, setForm] = useState<EnrolmentForm>(opened)
  const { write, problem, isBusy } = useRecordWrite(student, onClose)
  const change = (part: Partial<EnrolmentForm>) => setForm({ ...form, ...part })
  const chosen = school.templates.find(({ id }) => id === form.template_id)
  const isReplaced = enrolment !== undefined && chosen?.license_class !== enrolment.license_class
  const name = chosen?.name ?? ''
  const save = () => {
    if (!enrolment) {
      const send = () => beginEnrolment(student.id, enrolmentOf(form))
      return write({ send, what: name, message: 'training.begun' })
    }
    const send = isReplaced
      ? () => changeClass(student, form.template_id)
      : () => changeEnrolment(enrolment, changeOf(form, enrolment))
    write({ send, what: name, message: 'training.changed' })
  }
  return (
    <FormDialog
      title={enrolment ? t('training.edit', { class: enrolment.license_class }) : t('training.new')}
      submit={t('action.save')}
      size="lg"
      isBusy={isBusy}
      isBlocked={form.template_id === '' || (enrolment !== undefined && isSame(form, opened))}
      isFilled={!isSame(form, opened)}
      other={
        enrolment && (
          <Button
            look="remove"
            icon="trash"
            disabled={isBusy}
            onClick={() =>
              write({
                send: () => deleteEnrolment(enrolment),
                what: enrolment.license_class,
                message: 'training.deleted',
              })
            }
          >
            {t('training.delete')}
          </Button>
        )
      }
      onSubmit={save}
      onClose={onClose}
    >
      <Choice
        label={t('field.license_class_template_id')}
        data={choicesFor(enrolment, enrolments, school)}
        value={form.template_id || null}
        onChange={(id) => id !== null && change({ template_id: id })}
        isFirst={!enrolment}
      />
      {isReplaced ? (
        <Notice kind="open">
          {t('training.replaces', { from: enrolment.license_class, to: chosen?.license_class ?? '' })}
        </Notice>
      ) : (
        <Fields {...{ form, change, enrolment, enrolments, today }} />
      )}
      <RecordProblem problem={problem} />
    </FormDialog>
  )
}

type FieldsProps = Pick<EnrolmentDialogProps, 'enrolment' | 'enrolments'> & {
  readonly form: EnrolmentForm
  readonly today: string
  readonly change: (part: Partial<EnrolmentForm>) => void
}

function Fields({ form, enrolment, enrolments, today, change }: FieldsProps) {
  const { t } = useTranslation()
  const isBesideOther = enrolments.some((one) => isOpen(one) && one.id !== enrolment?.id)
  const mayBecomeCurrent = isBesideOther && form.outcome === null && !enrolment?.is_current
  return (
    <>
      <PriorClassesField value={form.prior_classes} onChange={(prior_classes) => change({ prior_classes })} />
      <DateField
        label={t('training.begins')}
        kind={enrolment ? 'over' : 'coming'}
        value={form.begins_on}
        onChange={(begins_on) => change({ begins_on })}
      />
      {enrolment && (
        <div className={layout.pair}>
          <Choice
            label={t('training.ending')}
            placeholder={t('training.running')}
            data={OUTCOMES.map((one) => ({ value: one, label: t(`training.outcome.${one}`) }))}
            value={form.outcome}
            onChange={(value) => {
              const outcome = value as EnrolmentOutcome | null
              change({ outcome, ends_on: outcome === null ? '' : form.ends_on || today })
            }}
            clearable
            clearWord={t('training.running')}
          />
          {form.outcome !== null && (
            <DateField
              label={t('training.ends')}
              kind="over"
              max={today}
              value={form.ends_on}
              onChange={(ends_on) => change({ ends_on })}
            />
          )}
        </div>
      )}
      {mayBecomeCurrent && (
        <SwitchField
          label={t('training.isCurrent')}
          isOn={form.is_current}
          onChange={(is_current) => change({ is_current })}
        />
      )}
      <Choice
        label={t('training.cooperation')}
        placeholder={t('training.alone')}
        data={ROLES.map((one) => ({ value: one, label: t(`training.role.${one}`) }))}
        value={form.role}
        onChange={(role) => change({ role: role as EnrolmentForm['role'] })}
        clearable
        clearWord={t('training.alone')}
      />
      {form.role !== null && (
        <div className={layout.pair}>
          <TextField
            label={t('training.school')}
            value={form.school}
            maxLength={TITLE_LENGTH.max}
            onChange={(school) => change({ school })}
          />
          <TextField
            label={t('training.schoolAddress')}
            value={form.address}
            maxLength={TITLE_LENGTH.max}
            onChange={(address) => change({ address })}
          />
        </div>
      )}
      <NotesField label={t('papers.note')} value={form.note} onChange={(note) => change({ note })} />
    </>
  )
}

const ROLES = ['commissioning', 'commissioned'] as const

/** Returns the classes to choose from: those without an open training, or the versions of the class of one that is not the current one. */
function choicesFor(
  enrolment: Enrolment | undefined,
  enrolments: readonly Enrolment[],
  school: School,
): readonly { value: string; label: string; code: string }[] {
  const others = enrolments.filter((one) => isOpen(one) && one.id !== enrolment?.id)
  const taken = new Set(others.map(({ license_class }) => license_class))
  const isReplaceable = !enrolment || (enrolment.is_current && isOpen(enrolment))
  return offeredTemplates(school, enrolment?.template_id ?? null)
    .filter(({ license_class }) =>
      isReplaceable ? !taken.has(license_class) : license_class === enrolment.license_class,
    )
    .map(({ id, name, code }) => ({ value: id, label: name, code }))
}
