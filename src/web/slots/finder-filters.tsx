import { useTranslation } from 'react-i18next'
import { Choice } from '../dialogs/choice.tsx'
import { DateField } from '../dialogs/date-field.tsx'
import { OptionSelect } from '../ui/option-select.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import { WEEKDAYS, weekdayName } from '../ui/weekday-name.ts'
import css from './finder.module.css'
import { PARTS_OF_DAY, type Wish } from './wish.ts'

type FinderFiltersProps = { readonly wish: Wish; readonly onWish: (wish: Wish) => void }

/** Which times are wanted. */
export function FinderFilters({ wish, onWish }: FinderFiltersProps) {
  const { instructors } = useSchool()
  const { t } = useTranslation()
  const set = (change: Partial<Wish>) => onWish({ ...wish, ...change })
  const shown = instructors.filter(({ active, id }) => active || id === wish.instructor_id)
  return (
    <div className={css.filters}>
      <DateField label={t('find.from')} isHintHidden value={wish.from} onChange={(from) => set({ from })} />
      <Weekdays chosen={wish.weekdays} onChoose={(weekdays) => set({ weekdays })} />
      <OptionSelect
        label={t('find.hours')}
        value={wish.hours}
        options={PARTS_OF_DAY.map((name) => [name, t(`find.${name}`)])}
        onChange={(hours) => set({ hours: hours as Wish['hours'] })}
      />
      <Choice
        label={t('lesson.instructor')}
        isLabelHidden
        placeholder={t('find.anyone')}
        data={shown.map((one) => ({ value: one.id, label: nameOf(one) }))}
        value={wish.instructor_id || null}
        onChange={(id) => set({ instructor_id: id ?? '' })}
        clearable
        clearWord={t('find.anyone')}
      />
      <OptionSelect
        label={t('find.order')}
        value={wish.order}
        options={[
          ['fit', t('find.fit')],
          ['time', t('find.time')],
        ]}
        onChange={(order) => set({ order: order as Wish['order'] })}
      />
    </div>
  )
}

type WeekdaysProps = {
  readonly chosen: readonly number[]
  readonly onChoose: (weekdays: readonly number[]) => void
}

function Weekdays({ chosen, onChoose }: WeekdaysProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const toggle = (day: number) =>
    onChoose(chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day])
  return (
    <fieldset className={css.weekdays} aria-label={t('find.weekdays')}>
      {WEEKDAYS.map((day) => {
        const name = weekdayName(day, format)
        return (
          <button
            key={day}
            type="button"
            aria-label={name}
            data-short={name.slice(0, 2)}
            aria-pressed={chosen.includes(day)}
            onClick={() => toggle(day)}
          />
        )
      })}
    </fieldset>
  )
}
