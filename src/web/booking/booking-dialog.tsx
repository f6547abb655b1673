import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { asksTheRules } from '../../domain/booking.ts'
import { FormDialog } from '../dialogs/form-dialog.tsx'
import { refusalWords } from '../lessons/refusal-words.ts'
import { useJudgement } from '../lessons/use-week.ts'
import { missingIn } from '../lessons/verdict.ts'
import { Notice } from '../ui/notice.tsx'
import { problemWords, refusalIn } from '../ui/problem-words.ts'
import { useSchool } from '../ui/school.tsx'
import { type BookingStart, changeOf, draftOf, formFor, formOf, type LessonForm } from './form.ts'
import { LessonFields } from './lesson-fields.tsx'
import { StalePanel } from './stale-panel.tsx'
import { useSave } from './use-save.ts'
import { VerdictPanel } from './verdict-panel.tsx'

type BookingDialogProps = {
  readonly start: BookingStart
  readonly onBooked: (lesson: Appointment) => void
  readonly onClose: () => void
}

/** Books a lesson or edits one. What is refused keeps the form as it is. */
export default function BookingDialog({ start, onBooked, onClose }: BookingDialogProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [form, setForm] = useState(() => formFor(start, school.lessonTypes))
  const { seen, theirs, error, isBusy, save, take, forgetError } = useSave(start.editing, onBooked, onClose)
  const draft = draftOf(form, seen?.id)
  const missing = missingIn(draft, school)
  const { verdict, lessons } = useJudgement(draft, missing !== undefined, form.date || start.date)
  const refusal = refusalIn(error)
  const isAsked = !seen || missing !== undefined || asksTheRules(changeOf(form, seen), seen)
  const fill = (next: LessonForm) => {
    setForm(next)
    // What was refused is no longer what is asked for.
    forgetError()
  }

  return (
    <FormDialog
      title={t(seen ? 'booking.editTitle' : 'booking.title')}
      submit={t(seen ? 'action.save' : 'booking.submit')}
      size="lg"
      isBusy={isBusy}
      isBlocked={missing !== undefined || theirs !== undefined}
      onSubmit={() => save(form)}
      onClose={onClose}
    >
      <LessonFields
        form={form}
        onChange={fill}
        verdict={
          refusal ? (
            <Notice kind="bad" title={t('booking.notSaved')} isAnswer>
              {refusalWords(refusal, { ...draft, appointments: lessons }, school, t)}
            </Notice>
          ) : (
            isAsked && <VerdictPanel {...{ draft, missing, verdict, lessons }} />
          )
        }
      />
      {error && !refusal && !theirs && (
        <Notice kind="bad" title={t('booking.notSaved')} isAnswer>
          {problemWords(error, t)}
        </Notice>
      )}
      {theirs && seen && (
        <StalePanel
          {...{ seen, theirs, form }}
          onKeep={(kept) => {
            setForm(kept)
            save(kept, theirs)
          }}
          onTakeTheirs={() => {
            setForm(formOf(theirs))
            take(theirs)
          }}
        />
      )}
    </FormDialog>
  )
}
