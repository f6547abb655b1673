import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../contract/instructor.ts'
import { Choices } from '../ui/dialogs/choices.tsx'
import { DateField } from '../ui/dialogs/date-field.tsx'
import { useAtFocus } from '../ui/dialogs/use-at-focus.ts'
import { OptionSelect } from '../ui/option-select.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import css from './finder.module.css'
import { isLastDay, latestUntil, PARTS_OF_DAY, type SearchCriteria } from './search-criteria.ts'
import { WeekdayToggles } from './weekday-toggles.tsx'

type FinderFiltersProps = {
  readonly criteria: SearchCriteria
  readonly onCriteria: (change: Partial<SearchCriteria>) => void
}

export function FinderFilters({ criteria, onCriteria }: FinderFiltersProps) {
  const { t } = useTranslation()
  const { from, until } = criteria
  const { before, onFocus } = useAtFocus(until)
  // Clears an end that would precede the new first day.
  const begin = (day: string) =>
    onCriteria({
      from: day,
      ...(day !== '' && { until: isLastDay(before.current, day) ? before.current : '' }),
    })
  return (
    <div className={css.filters}>
      <DateField label={t('slots.from')} isHintHidden value={from} onFocus={onFocus} onChange={begin} />
      <DateField
        label={t('slots.until')}
        placeholder={t('slots.open')}
        isHintHidden
        isOptional
        min={from}
        max={latestUntil(from)}
        value={until}
        onChange={(day) => onCriteria({ until: day })}
      />
      <OptionSelect
        label={t('slots.order')}
        value={criteria.order}
        options={[
          ['fit', t('slots.fit')],
          ['time', t('slots.time')],
        ]}
        onChange={(order) => onCriteria({ order: order as SearchCriteria['order'] })}
      />
      <WeekdayToggles
        label={t('slots.weekdays')}
        chosen={criteria.weekdays}
        onChoose={(weekdays) => onCriteria({ weekdays })}
      />
      <Hours chosen={criteria.hours} onChoose={(hours) => onCriteria({ hours })} />
      <VehicleFilter chosen={criteria.vehicle} onChoose={(vehicle) => onCriteria({ vehicle })} />
      <BranchFilter
        chosen={criteria.instructor_ids}
        onChoose={(instructor_ids) => onCriteria({ instructor_ids })}
      />
      <Instructors
        chosen={criteria.instructor_ids}
        onChoose={(instructor_ids) => onCriteria({ instructor_ids })}
      />
    </div>
  )
}

type ChoosingProps<T> = { readonly chosen: T; readonly onChoose: (chosen: T) => void }

/** Chooses a part of the day; a second press clears it. */
function Hours({ chosen, onChoose }: ChoosingProps<SearchCriteria['hours']>) {
  const { t } = useTranslation()
  return (
    <fieldset className={css.toggles} aria-label={t('slots.hours')}>
      {PARTS_OF_DAY.map((part) => (
        <button
          key={part}
          type="button"
          aria-label={t(`slots.${part}`)}
          data-short={t(`slots.${part}Short`)}
          aria-pressed={chosen === part}
          onClick={() => onChoose(chosen === part ? 'anyTime' : part)}
        />
      ))}
    </fieldset>
  )
}

/** Chooses the vehicles that are free: the usual ones, any, or a certain one. Hidden in a school without vehicles. */
function VehicleFilter({ chosen, onChoose }: ChoosingProps<SearchCriteria['vehicle']>) {
  const { vehicles } = useSchool()
  const { t } = useTranslation()
  if (vehicles.length === 0) return null
  const active = vehicles.filter(({ active }) => active)
  return (
    <OptionSelect
      label={t('slots.vehicle')}
      value={chosen ?? ''}
      options={[
        ['', t('slots.usualVehicle')],
        ['any', t('slots.anyVehicle')],
        ...active.map(({ id, name }) => [id, t('slots.withVehicle', { name })] as const),
      ]}
      onChange={(value) => onChoose(value || undefined)}
    />
  )
}

/** Chooses the active instructors of one branch. Hidden if fewer than two branches have any. */
function BranchFilter({ chosen, onChoose }: ChoosingProps<readonly string[]>) {
  const { instructors, locations } = useSchool()
  const { t } = useTranslation()
  const idsAt = (branch: string) =>
    instructors.flatMap(({ id, active, location_id }) => (active && location_id === branch ? id : []))
  const staffed = locations.filter(({ id }) => idsAt(id).length > 0)
  if (staffed.length < 2) return null
  const isChosen = (branch: string) => idsAt(branch).toSorted().join() === chosen.toSorted().join()
  return (
    <OptionSelect
      label={t('slots.branch')}
      value={staffed.find(({ id }) => isChosen(id))?.id ?? ''}
      options={[['', t('slots.anyBranch')], ...staffed.map(({ id, name }) => [id, name] as const)]}
      onChange={(branch) => onChoose(branch === '' ? [] : idsAt(branch))}
    />
  )
}

/** Chooses the instructors to search: all, or some. */
function Instructors({ chosen, onChoose }: ChoosingProps<readonly string[]>) {
  const { instructors, instructor } = useSchool()
  const { t } = useTranslation()
  const option = (one: Instructor) => ({ value: one.id, label: nameOf(one) })
  return (
    <div className={css.people}>
      <Choices
        label={t('field.instructor')}
        isLabelHidden
        placeholder={t(chosen.length === 0 ? 'slots.anyone' : 'slots.anotherOne')}
        data={instructors.filter(({ active }) => active).map(option)}
        chosen={chosen.flatMap((id) => instructor.get(id) ?? []).map(option)}
        onChange={onChoose}
        without={(name) => t('slots.without', { name })}
      />
    </div>
  )
}
