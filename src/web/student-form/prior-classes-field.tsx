import { useTranslation } from 'react-i18next'
import type { Enrolment } from '../../contract/enrolment.ts'
import { localToday } from '../../domain/time-zone.ts'
import { Choices } from '../ui/dialogs/choices.tsx'
import { DateField } from '../ui/dialogs/date-field.tsx'
import layout from '../ui/layout.module.css'
import { allClasses } from '../ui/offered-classes.ts'
import { useSchool } from '../ui/school.tsx'

export type PriorClasses = Enrolment['prior_classes']

/** The choice of no class: the student was asked, and holds none. */
const NONE = '-'

type PriorClassesFieldProps = {
  readonly value: PriorClasses
  readonly onChange: (value: PriorClasses) => void
}

/** The classes that a student already holds, each since a day, or none; empty while nobody has asked. */
export function PriorClassesField({ value, onChange }: PriorClassesFieldProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const none = { value: NONE, label: t('training.noClass') }
  const held = value?.map(({ license_class }) => license_class) ?? []
  const options = [...new Set([...allClasses(school), ...held])].map((one) => ({ value: one, label: one }))
  const choose = (names: readonly string[]) => {
    if (names.at(-1) === NONE) return onChange([])
    const classes = names.filter((name) => name !== NONE)
    if (classes.length === 0) return onChange(null)
    onChange(
      classes.map((license_class) => ({
        license_class,
        since: value?.find((one) => one.license_class === license_class)?.since ?? null,
      })),
    )
  }
  const hold = (license_class: string, since: string) =>
    onChange(
      value?.map((one) =>
        one.license_class === license_class ? { license_class, since: since || null } : one,
      ) ?? null,
    )
  const today = localToday(new Date(), school.tenant.timezone)
  return (
    <>
      <Choices
        label={t('field.prior_classes')}
        placeholder={t('training.choosePrior')}
        data={[none, ...options]}
        chosen={value?.length === 0 ? [none] : options.filter((one) => held.includes(one.value))}
        onChange={choose}
        without={(label) => t('training.withoutPrior', { class: label })}
      />
      {value !== null && value.length > 0 && (
        <div className={layout.pair}>
          {value.map(({ license_class, since }) => (
            <DateField
              key={license_class}
              label={t('training.heldSince', { class: license_class })}
              kind="over"
              max={today}
              isOptional
              value={since ?? ''}
              onChange={(date) => hold(license_class, date)}
            />
          ))}
        </div>
      )}
    </>
  )
}
