import { useTranslation } from 'react-i18next'
import { Choice } from '../ui/dialogs/choice.tsx'
import { TimeField } from '../ui/dialogs/time-field.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import layout from '../ui/layout.module.css'
import { Notice } from '../ui/notice.tsx'
import { useSchool } from '../ui/school.tsx'
import { WEEKDAYS, weekdayName } from '../ui/weekday-name.ts'
import type { SettingsForm } from './settings-form.ts'

type RoundFieldsProps = {
  readonly form: SettingsForm
  readonly onChange: (change: Pick<SettingsForm, 'availability_round'>) => void
}

/** The time at which students are asked by message when they can come in the next week. */
export function RoundFields({ form, onChange }: RoundFieldsProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const { availability_round: round, messages, student_actions } = form
  const isUnsent = round.weekday !== '' && !(messages.availability && student_actions.wish)
  const edit = (change: Partial<SettingsForm['availability_round']>) =>
    onChange({ availability_round: { ...round, ...change } })
  const days = WEEKDAYS.map((weekday) => ({ value: String(weekday), label: weekdayName(weekday, format) }))
  return (
    <FieldGroup title={t('round.title')} hint={t('round.hint')}>
      <div className={layout.pair}>
        <Choice
          label={t('round.weekday')}
          placeholder={t('round.never')}
          data={days}
          value={round.weekday === '' ? null : String(round.weekday)}
          onChange={(chosen) => edit(chosen ? { weekday: Number(chosen) } : { weekday: '', time: '' })}
          clearable
        />
        {round.weekday !== '' && (
          <TimeField
            label={t('round.time')}
            step={30}
            value={round.time}
            error={round.time === '' && t('fault.missing')}
            onChange={(time) => edit({ time })}
          />
        )}
      </div>
      {isUnsent && <Notice kind="warn">{t('round.unsent')}</Notice>}
    </FieldGroup>
  )
}
