import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { NewCancellation } from '../../contract/cancellation.ts'
import {
  CANCELLATION_REASONS,
  CANCELLED_BY,
  type Cancellation,
  type CancellationAct,
} from '../../domain/cancellation.ts'
import { dateOf, type LocalDateTime, timeOf } from '../../domain/local-time.ts'
import { instantOf } from '../../domain/time-zone.ts'
import { cancellationOf } from '../data/cancellations.ts'
import { lessonText, stepText } from '../lessons/lesson-texts.ts'
import { DateField } from '../ui/dialogs/date-field.tsx'
import { FormDialog } from '../ui/dialogs/form-dialog.tsx'
import { NotesField } from '../ui/dialogs/text-fields.tsx'
import { TimeField } from '../ui/dialogs/time-field.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import layout from '../ui/layout.module.css'
import { Notice } from '../ui/notice.tsx'
import { OptionSelect } from '../ui/option-select.tsx'
import { useSchool } from '../ui/school.tsx'
import { act } from '../ui/undo/steps.ts'
import { useNow } from '../ui/use-now.ts'
import css from './cancel-dialog.module.css'
import { cancelling } from './cancelling.ts'

type Form = Pick<CancellationAct, 'by' | 'reason'> & {
  readonly note: string
  /** The moment of the cancellation; undefined for the current time. */
  readonly moment: { readonly date: string; readonly time: string } | undefined
  /** Whether to charge a fee; undefined to follow the school's policy. */
  readonly charge: boolean | undefined
}

type CancelDialogProps = { readonly lesson: Appointment; readonly onClose: () => void }

/** A form to cancel a lesson: party, reason, time, and the fee, which the policy proposes and the user decides. */
export default function CancelDialog({ lesson, onClose }: CancelDialogProps) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const { timezone } = school.tenant
  const now = useNow()
  const [form, setForm] = useState<Form>({
    ...{ by: 'student', reason: null, note: '', charge: undefined, moment: undefined },
  })
  const [isBusy, setBusy] = useState(false)
  const edit = (part: Partial<Form>) => setForm({ ...form, ...part })
  const moment = form.moment ?? { date: dateOf(now), time: timeOf(now) }
  const editMoment = (part: Partial<typeof moment>) => edit({ moment: { ...moment, ...part } })
  const isTimed = moment.date !== '' && moment.time !== ''
  const given = givenOf(form, timezone)
  const send = async () => {
    setBusy(true)
    const context = { client, school, t, appointments: [lesson] }
    const body = { ...given, note: form.note.trim() || null, charge: form.charge ?? null }
    const isDone = await act(cancelling(context, lesson, body), {
      message: ({ stands }) => ({
        text: t('booking.cancelled', { what: stands }),
        label: stepText('cancelled', lesson, context),
      }),
      failed: (why) => `${t('booking.notSaved')}: ${why}`,
    })
    setBusy(false)
    if (isDone) onClose()
  }
  const reasons = CANCELLATION_REASONS.map((one) => [one, t(`cancellation.because.${one}`)] as const)
  return (
    <FormDialog
      title={t('cancel.title')}
      submit={t('cancel.submit')}
      keep={t('cancel.keep')}
      isBusy={isBusy}
      isBlocked={!isTimed}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <p className={css.lesson}>{lessonText(lesson, school, t)}</p>
      <fieldset className={css.choices}>
        <legend>{t('cancel.by')}</legend>
        {CANCELLED_BY.map((by) => (
          <label key={by}>
            <input
              type="radio"
              name="by"
              {...(by === CANCELLED_BY[0] && { 'data-autofocus': true })}
              checked={form.by === by}
              onChange={() => edit({ by })}
            />
            {t(`cancel.party.${by}`)}
          </label>
        ))}
      </fieldset>
      <div className={css.reason}>
        <span aria-hidden>{t('cancel.reason')}</span>
        <OptionSelect
          label={t('cancel.reason')}
          value={form.reason ?? ''}
          options={[['', t('cancel.noReason')], ...reasons]}
          onChange={(chosen) => edit({ reason: CANCELLATION_REASONS.find((one) => one === chosen) ?? null })}
        />
      </div>
      <div className={layout.pair}>
        <DateField
          label={t('cancel.date')}
          kind="over"
          max={dateOf(now)}
          value={moment.date}
          onChange={(date) => editMoment({ date })}
        />
        <TimeField
          label={t('cancel.time')}
          step={STEP_MINUTES}
          value={moment.time}
          onFocus={() => editMoment({})}
          onChange={(time) => editMoment({ time })}
        />
      </div>
      <NotesField label={t('cancel.note')} value={form.note} onChange={(note) => edit({ note })} />
      {isTimed && (
        <Fee {...{ lesson, given, now }} charge={form.charge} onChange={(charge) => edit({ charge })} />
      )}
    </FormDialog>
  )
}

const STEP_MINUTES = 5

/** Returns the request without note and fee. The moment is left out, which means now, unless the user has chosen it. */
function givenOf({ by, reason, moment }: Form, timezone: string): NewCancellation {
  if (!moment?.date || !moment.time) return { by, reason }
  return { by, reason, at: new Date(instantOf(`${moment.date} ${moment.time}`, timezone)).toISOString() }
}

type FeeProps = {
  readonly lesson: Appointment
  readonly given: NewCancellation
  readonly now: LocalDateTime
  readonly charge: boolean | undefined
  readonly onChange: (charge: boolean) => void
}

/** The notice given, the fee that the policy proposes, and the choice whether to charge it. */
function Fee({ lesson, given, now, charge, onChange }: FeeProps) {
  const { tenant, format } = useSchool()
  const { t } = useTranslation()
  const { data: proposed, error } = useQuery(cancellationOf(lesson, { ...given, charge: null }, now))
  const { data: charged } = useQuery(cancellationOf(lesson, { ...given, charge: true }, now))
  if (error) return <FailureNotice error={error} />
  if (!proposed || !charged) return null
  const isCharged = charge ?? proposed.charged
  const hasPolicy = tenant.cancellation_policy.length > 0
  const fee = proposed.charged
    ? t('cancel.proposes', { percent: format.percent(proposed.fee_percent / 100) })
    : t('cancel.proposesNone')
  return (
    <>
      <Notice
        kind={proposed.is_late ? 'warn' : 'good'}
        title={t(proposed.is_late ? 'cancel.late' : 'cancel.inTime')}
      >
        {`${noticeText(proposed, t)} ${hasPolicy ? fee : t('cancel.noPolicy')}`}
      </Notice>
      <fieldset className={css.choices}>
        <legend>{t('cancel.fee')}</legend>
        <label>
          <input type="radio" name="charge" checked={!isCharged} onChange={() => onChange(false)} />
          {t('cancel.free')}
        </label>
        <label>
          <input type="radio" name="charge" checked={isCharged} onChange={() => onChange(true)} />
          {t('cancel.charge', { percent: format.percent(charged.fee_percent / 100) })}
        </label>
      </fieldset>
    </>
  )
}

const MINUTES_PER_HOUR = 60
const MINUTES_PER_DAY = 1440
/** The number of days from which notice is shown in days, not hours. */
const LONG_DAYS = 3

function noticeText({ notice_minutes }: Cancellation, t: TFunction): string {
  if (notice_minutes < 0) return t('cancel.afterStart')
  if (notice_minutes >= LONG_DAYS * MINUTES_PER_DAY)
    return t('cancel.daysBefore', { count: Math.floor(notice_minutes / MINUTES_PER_DAY) })
  if (notice_minutes >= 2 * MINUTES_PER_HOUR)
    return t('cancel.hoursBefore', { count: Math.floor(notice_minutes / MINUTES_PER_HOUR) })
  return t('cancel.minutesBefore', { count: notice_minutes })
}
