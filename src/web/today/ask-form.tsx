import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewScheduleRequest } from '../../contract/schedule-request.ts'
import { NOTES_LENGTH } from '../../domain/ranges.ts'
import { localToday } from '../../domain/time-zone.ts'
import { createScheduleRequest } from '../data/requests.ts'
import { Button } from '../ui/button.tsx'
import { isSame } from '../ui/changed-fields.ts'
import { FailureNotice } from '../ui/failure-notice.tsx'
import field from '../ui/field.module.css'
import { Notice } from '../ui/notice.tsx'
import { useSchool } from '../ui/school.tsx'
import { Unsaved, useUnsaved } from '../ui/unsaved.tsx'
import { useLength } from '../ui/use-length.ts'
import css from './ask-form.module.css'
import { DateInput } from './date-input.tsx'
import { HoursRequestFields } from './hours-request-fields.tsx'

type Form = Required<Pick<NewScheduleRequest, 'start_date' | 'end_date' | 'availability_windows'>> & {
  readonly kind: 'daysOff' | 'hours'
  readonly note: string
}

/** Requests days off or other hours from the office. Keeps the input until the request is stored. */
export function AskForm() {
  const { user, instructor, tenant } = useSchool()
  const { t } = useTranslation()
  const own = instructor.get(user.instructor_id ?? '')
  const empty = (): Form => ({
    kind: 'daysOff',
    start_date: '',
    end_date: '',
    availability_windows: own?.availability_windows ?? [],
    note: '',
  })
  const [form, setForm] = useState(empty)
  const edit = (change: Partial<Form>) => setForm((before) => ({ ...before, ...change }))
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: createScheduleRequest,
    onSuccess: () => setForm(empty()),
  })
  useUnsaved(() => !isPending && !isSame({ ...form, kind: 'daysOff' }, empty()))
  const length = useLength<HTMLTextAreaElement>(form.note, NOTES_LENGTH.max)
  const today = localToday(new Date(), tenant.timezone)
  const kind = (name: Form['kind']) => (
    <Button
      look={form.kind === name ? 'chosen' : 'plain'}
      aria-pressed={form.kind === name}
      onClick={() => edit({ kind: name })}
    >
      {t(`request.${name}`)}
    </Button>
  )
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (own) mutate(bodyOf(form, own.id))
      }}
    >
      <h2 className={css.heading}>{t('request.ask')}</h2>
      <div className={css.kinds}>
        {kind('daysOff')}
        {kind('hours')}
      </div>
      {form.kind === 'daysOff' ? (
        <div className={css.dates}>
          <DateInput
            label={t('request.from')}
            value={form.start_date}
            min={today}
            onChange={(start_date) => setForm((before) => startingOn(before, start_date))}
          />
          <DateInput
            label={t('request.to')}
            value={form.end_date}
            min={form.start_date || today}
            onChange={(end_date) => edit({ end_date })}
          />
        </div>
      ) : (
        <HoursRequestFields
          windows={form.availability_windows}
          onChange={(availability_windows) => edit({ availability_windows })}
        />
      )}
      <label className={css.label}>
        {t('request.note')}
        <textarea
          className={`${field.field} ${css.input}`}
          rows={2}
          ref={length.field}
          aria-invalid={length.fault !== undefined}
          value={form.note}
          onChange={({ target }) => edit({ note: target.value })}
        />
        {length.fault && <span className={css.fault}>{length.fault}</span>}
      </label>
      <FailureNotice error={error} title={t('booking.notSaved')} />
      {isSuccess && (
        <Notice kind="good" isAnswer>
          {t('request.sent')}
        </Notice>
      )}
      <Button className={css.send} look="primary" type="submit" isBusy={isPending}>
        {t('request.send')}
      </Button>
      <Unsaved />
    </form>
  )
}

/** Changes the first day. The last day follows unless another one was entered. */
function startingOn(form: Form, start_date: Form['start_date']): Form {
  const end_date = form.end_date === form.start_date ? start_date : form.end_date
  return { ...form, start_date, end_date }
}

function bodyOf(form: Form, instructor_id: string): NewScheduleRequest {
  const { kind, start_date, end_date, availability_windows } = form
  const about = { instructor_id, note: form.note.trim() === '' ? null : form.note.trim() }
  return kind === 'hours' ? { ...about, availability_windows } : { ...about, start_date, end_date }
}
