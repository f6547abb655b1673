import { registerSW } from 'virtual:pwa-register'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { isCounted } from '../../domain/counted.ts'
import { dateOf, daysLater, type LocalDate } from '../../domain/local-time.ts'
import { APPOINTMENTS } from '../data/appointments.ts'
import { CalendarFeed } from '../people/links/calendar-feed.tsx'
import { PrivateCalendars } from '../people/links/private-calendars.tsx'
import { Button } from '../ui/button.tsx'
import { Details } from '../ui/details.tsx'
import { Notice } from '../ui/notice.tsx'
import page from '../ui/page.module.css'
import { PageHeading } from '../ui/page-heading.tsx'
import { useSchool } from '../ui/school.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { useNow } from '../ui/use-now.ts'
import { corrections, discardTimes } from './corrections.ts'
import { DayBar } from './day-bar.tsx'
import { DayList } from './day-list.tsx'
import { drafts, recordWithDrafts } from './drafts.ts'
import { LessonPanel } from './lesson-panel.tsx'
import { recordEntry } from './outbox.ts'
import { OutboxNotices } from './outbox-notices.tsx'
import type { RecordOutcome } from './outcome.ts'
import { BookButton } from './own-bookings.tsx'
import css from './today-page.module.css'
import { useDay } from './use-day.ts'
import { useOfflineCache } from './use-offline-cache.ts'
import { useSwipe } from './use-swipe.ts'

const route = getRouteApi('/today')

export function TodayPage() {
  const { format } = useSchool()
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const now = useNow()
  const today = dateOf(now)
  const date = search.date ?? today
  const { lessons, error, isError, refetch } = useDay(date)
  const hasShown = useRef(false)
  hasShown.current ||= lessons !== undefined || isError
  const top = useRef<HTMLDivElement>(null)
  const go = (day: LocalDate) => void navigate({ search: day === today ? {} : { date: day } })
  const swipe = useSwipe((days) => go(daysLater(date, days)))
  useLeavingWarning()
  useOfflineCache(today)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the chosen lesson, which is at the top
  useEffect(() => {
    top.current?.scrollTo({ top: 0 })
  }, [date, search.lesson])

  return (
    <div className={css.page} {...swipe}>
      {hasShown.current && <NewVersion />}
      <OutboxNotices />
      <div className={css.day} ref={top}>
        <PageHeading className={css.date} title={t('nav.today')}>
          {date === today && <span className={css.today}>{t('board.today')} · </span>}
          {format.longDay(date)}
        </PageHeading>
        {lessons?.length === 0 && <Empty text={t('today.none')} />}
        {!lessons && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
        {lessons && lessons.length > 0 && (
          <Day
            {...{ lessons, now }}
            chosen={search.lesson}
            onChoose={(lesson) =>
              void navigate({
                search: (before) => ({ ...before, lesson }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        )}
        <MyCalendar />
        <Link to="/minutes" className={page.link}>
          {t('minutes.title')}
        </Link>
      </div>
      <DayBar {...{ date, today, go }}>
        <BookButton
          date={date}
          onBooked={({ id, start_at }) => void navigate({ search: { date: dateOf(start_at), lesson: id } })}
        />
      </DayBar>
    </div>
  )
}

/** The calendars of the user's own lessons, and of times elsewhere; hidden from the office. */
function MyCalendar() {
  const { user } = useSchool()
  const { t } = useTranslation()
  if (user.instructor_id === null) return null
  return (
    <>
      <Details title={t('links.myCalendar')}>
        <CalendarFeed instructorId={user.instructor_id} />
      </Details>
      <Details title={t('busy.title')}>
        <PrivateCalendars instructorId={user.instructor_id} />
      </Details>
    </>
  )
}

type DayProps = {
  readonly lessons: readonly Appointment[]
  readonly now: string
  readonly chosen: string | undefined
  readonly onChoose: (id: string) => void
}

/** One lesson in large type, and the list of all lessons below. */
function Day({ lessons, now, chosen, onChoose }: DayProps) {
  const client = useQueryClient()
  // The lesson with input in its form, which would be lost if the next lesson replaced it. Texts are drafts instead.
  const [filledIn, setFilledIn] = useState<string>()
  // An outcome applies to the stored lesson, without unsent entries.
  const mark: RecordOutcome = (lesson, outcome) => {
    setFilledIn((before) => (before === lesson.id ? undefined : before))
    if (outcome.status && outcome.status !== 'completed') discardTimes(lesson)
    const seen = APPOINTMENTS.read(client, lesson.id) ?? lesson
    const isOver = outcome.status === 'completed' || outcome.status === 'no_show'
    return isOver ? recordWithDrafts(seen, outcome) : recordEntry(seen, outcome)
  }
  const lessonOf = (wanted: string | undefined) => lessons.find(({ id }) => id === wanted)
  const shown = lessonOf(chosen) ?? lessonOf(filledIn) ?? nextIn(lessons, now)
  return (
    <>
      {shown && (
        <div onInput={({ target }) => target instanceof HTMLInputElement && setFilledIn(shown.id)}>
          <LessonPanel key={shown.id} lesson={shown} {...{ now, mark }} />
        </div>
      )}
      <DayList {...{ lessons, now, mark, onChoose }} shown={shown?.id} />
    </>
  )
}

/** Returns the lesson in progress, or else the next one; undefined if all are over. */
function nextIn(lessons: readonly Appointment[], now: string): Appointment | undefined {
  const begun = lessons.find(
    ({ status, actual_start_at }) => status === 'planned' && actual_start_at !== null,
  )
  if (begun) return begun
  return lessons.find((lesson) => lesson.end_at > now && isCounted(lesson))
}

/** Stores the app's files, which on a slow network would delay the lessons, and offers to load a new version. */
function NewVersion() {
  const { t } = useTranslation()
  const renew = useNewVersion()
  if (!renew) return null
  return (
    <div className={css.waiting}>
      <Notice kind="open" title={t('today.renewed')}>
        <Button onClick={renew}>{t('today.renew')}</Button>
      </Notice>
    </div>
  )
}

/** Lets the browser ask before unsaved input is lost. */
function useLeavingWarning(): void {
  const isUnsaved = drafts.use().size + corrections.use().size > 0
  useEffect(() => {
    if (!isUnsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isUnsaved])
}

/** Registers the service worker. Returns the function that activates a newer version, once there is one. */
function useNewVersion(): (() => void) | undefined {
  const [renew, setRenew] = useState<() => void>()
  useEffect(() => {
    const update = registerSW({ onNeedRefresh: () => setRenew(() => () => void update(true)) })
  }, [])
  return renew
}
