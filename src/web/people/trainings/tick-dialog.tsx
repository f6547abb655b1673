import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../../contract/student.ts'
import { isLocalDate } from '../../../domain/local-time.ts'
import type { Tick } from '../../../domain/ticks.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { enterTick, removeTick } from '../../data/enrolments.ts'
import { Button } from '../../ui/button.tsx'
import { isSame } from '../../ui/changed-fields.ts'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { NotesField } from '../../ui/dialogs/text-fields.tsx'
import layout from '../../ui/layout.module.css'
import { useSchool } from '../../ui/school.tsx'
import { kindLabel } from './kind-label.ts'
import { RecordProblem } from './record-problem.tsx'
import { useRecordWrite } from './use-record-write.ts'

type TickDialogProps = {
  readonly student: Student
  readonly enrolmentId: string
  readonly tick: Tick
  readonly onClose: () => void
}

/** Enters a paper with its date, today at first, or changes or removes the one entered before. */
export function TickDialog({ student, enrolmentId, tick, onClose }: TickDialogProps) {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  const today = localToday(new Date(), tenant.timezone)
  const isRenewed = tick.date === null || tick.state === 'expired'
  const [opened] = useState({
    date: isRenewed ? today : (tick.date ?? today),
    valid_until: isRenewed ? '' : (tick.valid_until ?? ''),
    note: tick.note ?? '',
  })
  const [form, setForm] = useState(opened)
  const { write, problem, isBusy } = useRecordWrite(student, onClose)
  const kind = kindLabel(tick.kind, t)
  const save = () => {
    const isKept = form.date !== opened.date && form.valid_until === opened.valid_until
    const isByLaw = form.valid_until === '' || isKept
    const entered = {
      date: form.date,
      ...(!isByLaw && { valid_until: form.valid_until }),
      note: form.note.trim() || null,
    }
    write({ send: () => enterTick(enrolmentId, tick.kind, entered), what: kind, message: 'papers.entered' })
  }
  return (
    <FormDialog
      title={kind}
      submit={t('action.save')}
      isBusy={isBusy}
      isBlocked={!isLocalDate(form.date) || (!isRenewed && isSame(form, opened))}
      isFilled={!isSame(form, opened)}
      other={
        tick.date !== null && (
          <Button
            look="remove"
            icon="trash"
            disabled={isBusy}
            onClick={() =>
              write({
                send: () => removeTick(enrolmentId, tick.kind),
                what: kind,
                message: 'papers.removed',
              })
            }
          >
            {t('papers.remove')}
          </Button>
        )
      }
      onSubmit={save}
      onClose={onClose}
    >
      <div className={layout.pair}>
        <DateField
          label={t('papers.date')}
          kind="over"
          max={today}
          isFirst
          value={form.date}
          onChange={(date) => setForm({ ...form, date })}
        />
        <DateField
          label={t('papers.validUntil')}
          kind="coming"
          isOptional
          value={form.valid_until}
          onChange={(valid_until) => setForm({ ...form, valid_until })}
        />
      </div>
      <NotesField
        label={t('papers.note')}
        value={form.note}
        onChange={(note) => setForm({ ...form, note })}
      />
      <RecordProblem problem={problem} />
    </FormDialog>
  )
}
