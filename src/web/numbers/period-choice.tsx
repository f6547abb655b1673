import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NumbersPeriod } from '../data/numbers.ts'
import { Button } from '../ui/button.tsx'
import field from '../ui/field.module.css'
import { useSchool } from '../ui/school.tsx'
import css from './numbers-page.module.css'
import { isPossible, nextTo, periodAround, UNITS, type Unit, unitOf } from './period.ts'

type PeriodChoiceProps = {
  readonly period: NumbersPeriod
  readonly onChange: (period: NumbersPeriod) => void
}

/** Chooses a month, quarter, year or other days, and steps to those before and after. */
export function PeriodChoice({ period, onChange }: PeriodChoiceProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const [isOwn, setOwn] = useState(unitOf(period) === undefined)
  const unit = unitOf(period)
  const choose = (next: string) => {
    setOwn(next === 'own')
    if (next !== 'own') onChange(periodAround(period.from, next as Unit))
  }
  return (
    <div className={css.period}>
      <select
        className={`${field.field} ${css.screen}`}
        aria-label={t('numbers.period')}
        value={isOwn || !unit ? 'own' : unit}
        onChange={({ target }) => choose(target.value)}
      >
        {[...UNITS, 'own' as const].map((one) => (
          <option key={one} value={one}>
            {t(`numbers.unit.${one}`)}
          </option>
        ))}
      </select>
      <Button
        icon="chevronLeft"
        className={css.screen}
        aria-label={t('numbers.previous')}
        onClick={() => onChange(nextTo(period, -1))}
      />
      {isOwn || !unit ? (
        <OwnDays period={period} onChange={onChange} />
      ) : (
        <strong aria-live="polite">{periodName(period, format.locale)}</strong>
      )}
      <Button
        icon="chevronRight"
        className={css.screen}
        aria-label={t('numbers.next')}
        onClick={() => onChange(nextTo(period, 1))}
      />
    </div>
  )
}

/** Fields of the first and last day. They keep what is typed until both make a period. */
function OwnDays({ period, onChange }: PeriodChoiceProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(period)
  const [seen, setSeen] = useState(period)
  if (seen.from !== period.from || seen.to !== period.to) {
    setSeen(period)
    setTyped(period)
  }
  const type = (change: Partial<NumbersPeriod>) => {
    const next = { ...typed, ...change }
    setTyped(next)
    if (next.from !== '' && next.to !== '' && isPossible(next)) onChange(next)
  }
  const isWrong = typed.from === '' || typed.to === '' || !isPossible(typed)
  return (
    <>
      {(['from', 'to'] as const).map((end) => (
        <input
          key={end}
          className={field.field}
          type="date"
          aria-label={t(`numbers.${end}`)}
          aria-invalid={isWrong}
          value={typed[end]}
          onChange={({ target }) => type({ [end]: target.value })}
        />
      ))}
      {isWrong && <span className={css.wrong}>{t('numbers.tooLong')}</span>}
    </>
  )
}

function periodName({ from, to }: NumbersPeriod, locale: string): string {
  const unit = unitOf({ from, to })
  const date = new Date(`${from}T00:00:00Z`)
  if (unit === 'year') return from.slice(0, 4)
  if (unit === 'month')
    return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(date)
  return `Q${Math.floor((Number(from.slice(5, 7)) - 1) / 3) + 1} ${from.slice(0, 4)}`
}
