import type { PropsWithChildren } from 'react'
import { useTranslation } from 'react-i18next'
import { daysLater, type LocalDate } from '../../domain/local-time.ts'
import { Button } from '../ui/button.tsx'
import css from './day-bar.module.css'

type DayBarProps = PropsWithChildren<{
  readonly date: LocalDate
  readonly today: LocalDate
  readonly go: (date: LocalDate) => void
}>

/** Buttons for today and the days before and after, and the children, within reach of the thumb. */
export function DayBar({ date, today, go, children }: DayBarProps) {
  const { t } = useTranslation()
  return (
    <nav className={css.bar} aria-label={t('field.date')}>
      <Button
        className={css.button}
        icon="chevronLeft"
        aria-label={t('board.earlierDay')}
        onClick={() => go(daysLater(date, -1))}
      />
      <Button
        className={css.button}
        look={date === today ? 'chosen' : 'plain'}
        aria-pressed={date === today}
        onClick={() => go(today)}
      >
        {t('board.today')}
      </Button>
      <Button
        className={css.button}
        icon="chevronRight"
        aria-label={t('board.laterDay')}
        onClick={() => go(daysLater(date, 1))}
      />
      {children}
    </nav>
  )
}
