import type { TFunction } from 'i18next'
import type { School } from '../ui/school.tsx'
import type { Load, Verdict } from './verdict.ts'

/** How full the day and the week would be. */
export function loadWords(
  { counts, day, week }: Verdict,
  { format }: School,
  t: TFunction,
): readonly string[] {
  if (!counts) return [t('verdict.uncounted')]
  const words = (name: 'day' | 'week', { units, limit }: Load) =>
    limit === null
      ? t(`verdict.${name}Free`, { units: format.units(units) })
      : t(`verdict.${name}`, { units: format.units(units), limit: format.units(limit) })
  return [words('day', day), words('week', week)]
}
