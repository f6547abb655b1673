import { useTranslation } from 'react-i18next'
import { dayOf, isLocalDate, weekdayOf } from '../../domain/local-time.ts'
import { MAX_LESSONS_OF_A_SERIES } from '../../domain/ranges.ts'
import { WeekdayToggles } from '../slots/weekday-toggles.tsx'
import { Choices } from '../ui/dialogs/choices.tsx'
import { OptionSelect } from '../ui/option-select.tsx'
import type { CoursePlan } from './course.ts'
import type { LessonForm } from './form.ts'
import { FIRST_REPEAT, type WeeklyRepeat } from './repeat.ts'

type CourseFieldsProps = {
  readonly form: LessonForm
  readonly repeat: WeeklyRepeat
  readonly plans: readonly CoursePlan[]
  readonly onChange: (repeat: WeeklyRepeat) => void
}

/** The weekdays of classes, and the topics of a course, one for each evening. */
export function CourseFields({ form, repeat, plans, onChange }: CourseFieldsProps) {
  const { t } = useTranslation()
  const { every_weeks, weekdays = [] } = repeat
  const chosen = 'topics' in repeat ? repeat.topics : []
  const plan = plans.findIndex(({ topics }) => chosen.some((topic) => topics.includes(topic)))
  const withTopics = (topics: readonly string[]) =>
    onChange(
      topics.length > 0
        ? { every_weeks, weekdays, topics, lesson_type_id: form.lesson_type_id }
        : { ...FIRST_REPEAT, every_weeks, weekdays },
    )
  const option = (topic: string) => ({ value: topic, label: topic })
  const all = plans[plan]?.topics ?? []
  return (
    <>
      <WeekdayToggles
        label={t('slots.weekdays')}
        chosen={weekdays}
        {...(isLocalDate(form.date) && { fixed: weekdayOf(dayOf(form.date)) })}
        onChoose={(days) => onChange({ ...repeat, weekdays: days })}
      />
      {plans.length > 0 && (
        <OptionSelect
          label={t('course.plan')}
          value={plan < 0 ? '' : String(plan)}
          options={[
            ['', t('course.without')],
            ...plans.map(
              ({ license_classes, topics }, index) =>
                [
                  String(index),
                  license_classes.length === 0
                    ? t('course.all', { count: topics.length })
                    : t('course.ofClass', { classes: license_classes.join(', '), count: topics.length }),
                ] as const,
            ),
          ]}
          onChange={(index) => withTopics(plans[Number(index || -1)]?.topics ?? [])}
        />
      )}
      {chosen.length > 0 && (
        <Choices
          label={t('course.topics')}
          placeholder={t('course.another')}
          data={chosen.length < MAX_LESSONS_OF_A_SERIES ? all.map(option) : []}
          chosen={chosen.map(option)}
          onChange={withTopics}
          without={(name) => t('course.leaveOut', { name })}
        />
      )}
    </>
  )
}
