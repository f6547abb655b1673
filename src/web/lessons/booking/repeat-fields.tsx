import { useTranslation } from 'react-i18next'
import { SERIES_COUNT, SERIES_WEEKS } from '../../../domain/ranges.ts'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { NumberField } from '../../ui/dialogs/number-field.tsx'
import { SwitchField } from '../../ui/dialogs/switch-field.tsx'
import type { LessonForm } from './form.ts'
import { FIRST_REPEAT, lastDayOf, lessonsOf, type WeeklyRepeat } from './repeat.ts'
import css from './repeat-fields.module.css'

type RepeatFieldsProps = {
  readonly form: LessonForm
  /** Undefined while the lesson is not repeated. */
  readonly repeat: WeeklyRepeat | undefined
  readonly onChange: (repeat: WeeklyRepeat | undefined) => void
}

/** The repetition of a lesson. The number of lessons and the last day follow from each other. */
export function RepeatFields({ form, repeat, onChange }: RepeatFieldsProps) {
  const { t } = useTranslation()
  const every_weeks = repeat?.every_weeks ?? 0
  return (
    <>
      <SwitchField
        label={t('series.repeat')}
        isOn={repeat !== undefined}
        onChange={(isOn) => onChange(isOn ? FIRST_REPEAT : undefined)}
      />
      {repeat && (
        <div className={css.fields}>
          <NumberField
            label={t('series.everyWeeks')}
            value={every_weeks || ''}
            min={SERIES_WEEKS.min}
            max={SERIES_WEEKS.max}
            onChange={(weeks) => onChange({ ...repeat, every_weeks: weeks || 0 })}
          />
          <NumberField
            label={t('series.count')}
            value={lessonsOf(form, repeat) || ''}
            min={SERIES_COUNT.min}
            max={SERIES_COUNT.max}
            onChange={(count) => onChange({ every_weeks, count: count || 0 })}
          />
          <DateField
            label={t('series.until')}
            min={form.date}
            value={lastDayOf(form, repeat)}
            onChange={(until) => onChange({ every_weeks, until })}
          />
        </div>
      )}
    </>
  )
}
