import type { TFunction } from 'i18next'
import type { Candidate } from '../../contract/offer.ts'
import type { School } from '../ui/school.tsx'

/** Returns why a student is listed; empty for an unknown reason of a newer service, and for a wait of less than a day. */
export function reasonText(
  { code, params }: Candidate['reasons'][number],
  { lessonType }: School,
  t: TFunction,
): string {
  const number = (name: string) => Number(params[name])
  switch (code) {
    case 'matches_wish':
      return t('gap.matchesWish')
    case 'matches_week':
      return t('gap.matchesWeek')
    case 'waited_longest':
      return number('days') > 0 ? t('gap.waitedLongest', { count: number('days') }) : ''
    case 'waiting':
      return number('days') > 0 ? t('gap.waiting', { count: number('days') }) : ''
    case 'special_drive_missing':
      return t('gap.missing', { type: lessonType.get(String(params.lesson_type_id))?.name ?? '' })
    case 'preferred_instructor':
      return t('gap.preferred')
    case 'no_wish':
      return t('gap.noWish')
    case 'offered_often':
      return t('gap.offeredOften', { count: number('offers') })
    default:
      return ''
  }
}
