import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { dateOf } from '../../domain/local-time.ts'
import { APPOINTMENT_MINUTES } from '../../domain/ranges.ts'
import { whenText } from '../lessons/lesson-texts.ts'
import { refusalMessage } from '../lessons/refusal-messages.ts'
import { Choice } from '../ui/dialogs/choice.tsx'
import { FormDialog } from '../ui/dialogs/form-dialog.tsx'
import { NumberField } from '../ui/dialogs/number-field.tsx'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { TimeField } from '../ui/dialogs/time-field.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import layout from '../ui/layout.module.css'
import { Notice } from '../ui/notice.tsx'
import { problemMessage, refusalIn } from '../ui/problem-messages.ts'
import { useSchool } from '../ui/school.tsx'
import { WEEKDAYS, weekdayName } from '../ui/weekday-name.ts'
import { InstructorField } from './instructor-field.tsx'
import { Reasons } from './reasons.tsx'
import { reasonsOf } from './refused-lesson.tsx'
import css from './series-preview.module.css'
import { Fitting } from './series-preview.tsx'
import { useSeriesChange } from './use-series-change.ts'

type SeriesChangeDialogProps = {
  readonly lesson: Appointment
  readonly seriesId: string
  readonly onClose: () => void
}

/** A form to change the weekday, time, length and instructor of a lesson of a series and the later ones. */
export function SeriesChangeDialog({ lesson, seriesId, onClose }: SeriesChangeDialogProps) {
  const { format, tenant } = useSchool()
  const { t } = useTranslation()
  const changing = useSeriesChange(lesson, seriesId, onClose)
  const { form, edit, draft, isAsked } = changing
  const count = changing.found?.changed.length ?? 0
  const days = WEEKDAYS.map((weekday) => ({ value: String(weekday), label: weekdayName(weekday, format) }))
  return (
    <FormDialog
      title={t('series.changeTitle')}
      submit={count > 0 ? t('series.change', { count }) : t('action.save')}
      size={560}
      isBusy={changing.isBusy}
      isBlocked={changing.isBlocked}
      isFilled={isAsked}
      hasText={false}
      onSubmit={changing.save}
      onClose={onClose}
    >
      <p className={css.intro}>{t('series.changes', { day: format.dayInText(dateOf(lesson.start_at)) })}</p>
      <div className={layout.pair}>
        <Choice
          label={t('series.weekday')}
          data={days}
          value={String(form.weekday)}
          onChange={(weekday) => weekday && edit({ weekday: Number(weekday) })}
        />
        <InstructorField
          value={form.instructor_id}
          draft={draft}
          isNew={false}
          onChange={(instructor_id) => edit({ instructor_id })}
        />
      </div>
      <div className={layout.pair}>
        <TimeField
          label={t('field.start_at')}
          step={5}
          value={form.start}
          onChange={(start) => edit({ start })}
        />
        <NumberField
          isMinutes
          label={t('lesson.duration')}
          value={form.minutes}
          onChange={(minutes) => edit({ minutes })}
          min={5}
          max={APPOINTMENT_MINUTES.max}
          step={tenant.unit_minutes}
        />
      </div>
      <SwitchField
        label={t('series.onlyAll')}
        isOn={form.isOnlyAll}
        onChange={(isOnlyAll) => edit({ isOnlyAll })}
      />
      <Preview changing={changing} />
      <Failed changing={changing} />
    </FormDialog>
  )
}

type Changing = { readonly changing: ReturnType<typeof useSeriesChange> }

/** The lessons that would change, and the refused ones with their reasons. */
function Preview({ changing: { isAsked, found, isCurrent, unchecked, before, draft } }: Changing) {
  const school = useSchool()
  const { t } = useTranslation()
  if (!isAsked) return <Notice kind="open">{t('series.unchanged')}</Notice>
  if (unchecked) {
    return (
      <Notice kind="bad" title={t('series.unchecked')}>
        {problemMessage(unchecked, t)}
      </Notice>
    )
  }
  if (!found) return <Notice kind="open">{t('series.checking')}</Notice>
  const { changed, refused } = found
  return (
    <div className={css.preview} aria-busy={!isCurrent}>
      <Fitting found={{ booked: changed, refused }} />
      {refused.length > 0 && (
        <ul className={css.refused}>
          {refused.map(({ appointment_id, refusals }) => {
            const lesson = before?.find(({ id }) => id === appointment_id)
            return (
              <li key={appointment_id}>
                {t('series.stays')} <strong>{lesson && whenText(lesson, school)}</strong>
                <Reasons reasons={reasonsOf({ refusals }, draft, school, t)} />
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

/** The reason why nothing was changed. */
function Failed({ changing: { error, draft } }: Changing) {
  const school = useSchool()
  const { t } = useTranslation()
  if (!error) return null
  const refusal = refusalIn(error)
  if (!refusal) return <FailureNotice error={error} title={t('booking.notSaved')} />
  return (
    <Notice kind="bad" title={t('booking.notSaved')} isAnswer>
      {refusalMessage(refusal, { ...draft, appointments: [] }, school, t)}
    </Notice>
  )
}
