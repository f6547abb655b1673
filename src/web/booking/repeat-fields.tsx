import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SERIES_COUNT, SERIES_WEEKS } from '../../domain/ranges.ts'
import { topicsOfCountry } from '../data/topics.ts'
import { DateField } from '../ui/dialogs/date-field.tsx'
import { NumberField } from '../ui/dialogs/number-field.tsx'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { useSchool } from '../ui/school.tsx'
import { firstTopicsOf, plansOf } from './course.ts'
import { CourseFields } from './course-fields.tsx'
import { isClass, type LessonForm } from './form.ts'
import { FIRST_REPEAT, lastDayOf, lessonCountFor, type WeeklyRepeat } from './repeat.ts'
import css from './repeat-fields.module.css'

type RepeatFieldsProps = {
  readonly form: LessonForm
  /** Undefined while the lesson is not repeated. */
  readonly repeat: WeeklyRepeat | undefined
  readonly last: WeeklyRepeat | undefined
  readonly onChange: (repeat: WeeklyRepeat | undefined) => void
}

/** The repetition of a lesson. The number of lessons and the last day follow from each other. */
export function RepeatFields({ form, repeat, last, onChange }: RepeatFieldsProps) {
  const { lessonType } = useSchool()
  const { t } = useTranslation()
  const { every_weeks = 0, weekdays } = repeat ?? {}
  const isGroup = isClass(form, lessonType)
  const { data: topics = [] } = useQuery({ ...topicsOfCountry, enabled: isGroup })
  const plans = isGroup ? plansOf(topics, form.lesson_type_id) : []
  const first = firstTopicsOf(plans, form)
  const begun: WeeklyRepeat = first
    ? { every_weeks: FIRST_REPEAT.every_weeks, topics: first, lesson_type_id: form.lesson_type_id }
    : FIRST_REPEAT
  const days = weekdays && { weekdays }
  const isCourse = repeat && 'topics' in repeat
  return (
    <>
      <SwitchField
        label={t('series.repeat')}
        isOn={repeat !== undefined}
        onChange={(isOn) => onChange(isOn ? (last ?? begun) : undefined)}
      />
      {repeat && isGroup && <CourseFields {...{ form, repeat, plans, onChange }} />}
      {repeat && !isCourse && (
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
            value={lessonCountFor(form, repeat) || ''}
            min={SERIES_COUNT.min}
            max={SERIES_COUNT.max}
            onChange={(count) => onChange({ every_weeks, ...days, count: count || 0 })}
          />
          <DateField
            label={t('series.until')}
            min={form.date}
            value={lastDayOf(form, repeat)}
            onChange={(until) => onChange({ every_weeks, ...days, until })}
          />
        </div>
      )}
    </>
  )
}
