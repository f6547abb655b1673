import type { TFunction } from 'i18next'
import type { LocalDate } from '../../domain/local-time.ts'
import type { School } from '../ui/school.tsx'

/** Returns the name of a day's holiday or closure; empty on a day without. */
export function specialDayName(date: LocalDate, { days }: Pick<School, 'days'>, t: TFunction): string {
  const special = days?.on(date)
  return special ? (special.name ?? t('board.closed')) : ''
}
