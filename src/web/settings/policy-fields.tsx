import { useTranslation } from 'react-i18next'
import { lastMomentFor } from '../../domain/cancellation.ts'
import { WorkingDays } from '../../domain/closed-days.ts'
import { dateOf, dayOf, daysLater, timeOf, weekdayOf } from '../../domain/local-time.ts'
import { FEE_PERCENT, MAX_POLICY_STEPS, NOTICE_DAYS, NOTICE_HOURS } from '../../domain/ranges.ts'
import { localNow, localToday } from '../../domain/time-zone.ts'
import { vacationWithin } from '../../domain/vacation.ts'
import { Button } from '../ui/button.tsx'
import { categoryName } from '../ui/cancellation-texts.ts'
import { Choices } from '../ui/dialogs/choices.tsx'
import { NumberField } from '../ui/dialogs/number-field.tsx'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { TimeField } from '../ui/dialogs/time-field.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import { OptionSelect } from '../ui/option-select.tsx'
import page from '../ui/page.module.css'
import { type School, useSchool } from '../ui/school.tsx'
import css from './policy-fields.module.css'
import { isWholeStep, NEW_STEP, noticeOf, STEP_KINDS, type StepForm, withKind } from './policy-form.ts'

type PolicyFieldsProps = {
  readonly steps: readonly StepForm[]
  readonly onChange: (steps: readonly StepForm[]) => void
}

/** The notices and fees of cancellations by students, step by step. */
export function PolicyFields({ steps, onChange }: PolicyFieldsProps) {
  const { t } = useTranslation()
  const move = (from: number) =>
    onChange(steps.toSpliced(from - 1, 2, steps[from] as StepForm, steps[from - 1] as StepForm))
  return (
    <FieldGroup title={t('policy.title')} hint={t('policy.hint')}>
      <ol className={css.steps}>
        {steps.map((step, index) => (
          <Step
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be equal while they are filled in
            key={index}
            step={step}
            place={index + 1}
            onChange={(part) => onChange(steps.with(index, { ...step, ...part }))}
            onUp={index > 0 ? () => move(index) : undefined}
            onRemove={() => onChange(steps.toSpliced(index, 1))}
          />
        ))}
      </ol>
      {steps.length < MAX_POLICY_STEPS && (
        <Button onClick={() => onChange([...steps, NEW_STEP])}>{t('policy.add')}</Button>
      )}
    </FieldGroup>
  )
}

type StepProps = {
  readonly step: StepForm
  readonly place: number
  readonly onChange: (part: Partial<StepForm>) => void
  readonly onUp: (() => void) | undefined
  readonly onRemove: () => void
}

const STEP_MINUTES = 30

function Step({ step, place, onChange, onUp, onRemove }: StepProps) {
  const { lessonTypes } = useSchool()
  const { t } = useTranslation()
  const { categories, kind, count, until, working, fee_percent } = step
  const known = new Set([...lessonTypes.map(({ category }) => category), ...categories])
  const asOption = (category: string) => ({ value: category, label: categoryName(category, t) })
  return (
    <li className={css.step} aria-label={t('policy.place', { place })}>
      <Choices
        label={t('policy.lessons')}
        placeholder={t(categories.length === 0 ? 'policy.allLessons' : 'policy.more')}
        data={[...known].map(asOption)}
        chosen={categories.map(asOption)}
        onChange={(chosen) => onChange({ categories: chosen })}
        without={(name) => t('vehicle.without', { name })}
      />
      <div className={css.notice}>
        {kind !== 'no_show' && (
          <NumberField
            label={t('policy.notice')}
            {...(kind === 'hours' ? NOTICE_HOURS : NOTICE_DAYS)}
            value={count}
            onChange={(value) => onChange({ count: value })}
          />
        )}
        <OptionSelect
          label={t('policy.unit')}
          value={kind}
          options={STEP_KINDS.map((one) => [one, t(`policy.kind.${one}`)] as const)}
          onChange={(chosen) => onChange(withKind(step, STEP_KINDS.find((one) => one === chosen) ?? kind))}
        />
        {kind === 'days_before' && (
          <TimeField
            label={t('policy.until')}
            step={STEP_MINUTES}
            value={until}
            onChange={(time) => onChange({ until: time })}
          />
        )}
        <NumberField
          label={t(kind === 'no_show' ? 'policy.percentNoShow' : 'policy.percent')}
          {...FEE_PERCENT}
          value={fee_percent}
          onChange={(value) => onChange({ fee_percent: value })}
        />
      </div>
      {kind === 'days_before' && (
        <SwitchField
          label={t('policy.workingOnly')}
          isOn={working}
          onChange={(isOn) => onChange({ working: isOn })}
        />
      )}
      <Boundary step={step} />
      <div className={css.buttons}>
        {onUp && (
          <Button look="bare" icon="chevronDown" className={css.up} onClick={onUp}>
            {t('policy.up', { place })}
          </Button>
        )}
        <Button look="bare" icon="close" onClick={onRemove}>
          {t('policy.remove', { place })}
        </Button>
      </div>
    </li>
  )
}

const EXAMPLE_DAYS = 14
const WEDNESDAY = 3

/** Shows the last moment of the notice for a lesson on a Wednesday in about two weeks, by the school's calendar. */
function Boundary({ step }: { readonly step: StepForm }) {
  const school = useSchool()
  const { t } = useTranslation()
  if (!isWholeStep(step) || step.kind === 'no_show') return null
  const { timezone } = school.tenant
  const later = daysLater(localToday(new Date(), timezone), EXAMPLE_DAYS)
  const start_at = `${daysLater(later, WEDNESDAY - weekdayOf(dayOf(later)))} 15:00`
  const isClosedOn = (date: string) =>
    school.days !== undefined &&
    (school.days.holidayOn(date) ?? vacationWithin(date, date, school.days.closed.closures)) !== undefined
  const last = lastMomentFor(noticeOf(step), start_at, {
    timezone,
    workingDays: new WorkingDays(isClosedOn),
  })
  const [lesson, moment] = [start_at, localNow(new Date(last), timezone)].map((at) => atText(at, school))
  return <p className={page.dimmed}>{t('policy.boundary', { lesson, moment })}</p>
}

function atText(at: string, { format }: School): string {
  return `${format.day(dateOf(at))}, ${timeOf(at)}`
}
