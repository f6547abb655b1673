import { useTranslation } from 'react-i18next'
import type { Series } from '../../contract/series.ts'
import { dateOf } from '../../domain/local-time.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import { Notice } from '../ui/notice.tsx'
import { problemMessage } from '../ui/problem-messages.ts'
import { useSchool } from '../ui/school.tsx'
import { CoursePreview } from './course-preview.tsx'
import { RefusedLesson } from './refused-lesson.tsx'
import css from './series-preview.module.css'
import type { SeriesInForm } from './use-series.ts'

/** The lessons that a series would book, with choices for refused ones. */
export function SeriesPreview({ series, draft }: { series: SeriesInForm; draft: LessonDraft }) {
  const { t } = useTranslation()
  const { found, isCurrent, error } = series.preview
  if (!series.isPossible) return <Notice kind="open">{t('series.impossible')}</Notice>
  if (error) {
    return (
      <Notice kind="bad" title={t('series.unchecked')}>
        {problemMessage(error, t)}
      </Notice>
    )
  }
  if (!found) return <Notice kind="open">{t('series.checking')}</Notice>
  const { repeat } = series
  if (repeat && 'topics' in repeat) {
    return (
      <div className={css.preview} aria-busy={!isCurrent}>
        <CoursePreview found={found} topics={repeat.topics} draft={draft} />
      </div>
    )
  }
  return (
    <div className={css.preview} aria-busy={!isCurrent}>
      <Fitting found={found} />
      {found.refused.length > 0 && (
        <ul className={css.refused}>
          {found.refused.map((refused) => (
            <RefusedLesson
              key={refused.start_at}
              refused={refused}
              draft={draft}
              taken={series.taken.get(refused.start_at)}
              onTake={(slot) => series.take(refused.start_at, slot)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

type FittingProps = { readonly found: Pick<Series, 'booked'> & { readonly refused: readonly unknown[] } }

/** The number and the dates of the possible lessons of a series. */
export function Fitting({ found: { booked, refused } }: FittingProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const overrides = booked.filter(({ overrides_used }) => overrides_used.length > 0).length
  const count = booked.length + refused.length
  const kind = booked.length === 0 ? 'bad' : refused.length + overrides > 0 ? 'warn' : 'good'
  return (
    <Notice kind={kind} title={t('series.fits', { booked: booked.length, count })}>
      {overrides > 0 && <p>{t('series.overrides', { count: overrides })}</p>}
      {booked.length > 0 && (
        <ul className={css.dates} aria-label={t('series.dates')}>
          {booked.map(({ id, start_at }) => (
            <li key={id}>{format.day(dateOf(start_at))}</li>
          ))}
        </ul>
      )}
    </Notice>
  )
}
