import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Series } from '../../contract/series.ts'
import { dateOf } from '../../domain/local-time.ts'
import { topicsOfCountry } from '../data/topics.ts'
import { refusalMessage } from '../lessons/refusal-messages.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import { Notice } from '../ui/notice.tsx'
import { refusalsIn } from '../ui/problem-messages.ts'
import { useSchool } from '../ui/school.tsx'
import css from './series-preview.module.css'

type CoursePreviewProps = {
  readonly found: Series
  readonly topics: readonly string[]
  /** The first class. */
  readonly draft: LessonDraft
}

/** Every evening of a course with its topic, and every skipped date with the reason, in order of date. */
export function CoursePreview({ found: { booked, refused }, topics, draft }: CoursePreviewProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { data: known = [] } = useQuery(topicsOfCountry)
  const nameFor = (topic: string | null) => known.find((one) => one.topic === topic)?.name ?? ''
  const about = { ...draft, appointments: [] }
  const evenings = booked.map(({ start_at, topic }) => ({
    start_at,
    isRefused: false,
    text: [topic, nameFor(topic)].filter(Boolean).join(' · '),
  }))
  const leftOut = refused.map(({ start_at, refusals }) => ({
    start_at,
    isRefused: true,
    text: refusals.some(({ code }) => code === 'skipped_time')
      ? t('booking.missing.skipped_time')
      : refusalsIn(refusals)
          .map((refusal) => refusalMessage(refusal, about, school, t))
          .join(' '),
  }))
  const isWhole = booked.length === topics.length
  const kind = booked.length === 0 ? 'bad' : isWhole && refused.length === 0 ? 'good' : 'warn'
  return (
    <Notice kind={kind} title={t('course.fits', { booked: booked.length, count: topics.length })}>
      <ul className={css.evenings} aria-label={t('course.evenings')}>
        {[...evenings, ...leftOut]
          .toSorted((one, other) => (one.start_at < other.start_at ? -1 : 1))
          .map(({ start_at, isRefused, text }) => (
            <li key={start_at} data-refused={isRefused || undefined}>
              <span>{school.format.day(dateOf(start_at))}</span>
              <span>{isRefused ? t('course.leftOut', { why: text }) : text}</span>
            </li>
          ))}
      </ul>
    </Notice>
  )
}
