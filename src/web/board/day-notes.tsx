import { useTranslation } from 'react-i18next'
import type { LocalDate } from '../../domain/local-time.ts'
import { Button } from '../ui/button.tsx'
import { useSchool } from '../ui/school.tsx'
import { specialDayName } from './special-day-name.ts'

type FreeTodayProps = {
  readonly today: LocalDate
  readonly date: LocalDate
  readonly go: (change: { readonly date: LocalDate }) => void
}

/** Explains that the board shows the next working day, because nobody works today, and offers to show today. */
export function FreeToday({ today, date, go }: FreeTodayProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  return (
    <div role="note" className="special-day">
      {t('board.freeToday', { today: format.longDay(today), day: format.longDay(date) })}{' '}
      <Button look="bare" onClick={() => go({ date: today })}>
        {t('board.showToday', { day: format.day(today) })}
      </Button>
    </div>
  )
}

/** Shows the name of the day's holiday or closure. */
export function SpecialDayName({ date }: { date: LocalDate }) {
  const school = useSchool()
  const { t } = useTranslation()
  const name = specialDayName(date, school, t)
  return (
    name && (
      <div role="note" className="special-day">
        {name}
      </div>
    )
  )
}
