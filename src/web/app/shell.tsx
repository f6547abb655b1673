import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BoardSearch } from '../board/board-search.ts'
import { openRequests } from '../data/requests.ts'
import icon from '../icon.svg'
import { usePreloaded } from '../ui/deferred.tsx'
import { loadDiscarding } from '../ui/discard-question.tsx'
import { withTexts } from '../ui/i18n/i18n.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { lazily } from '../ui/lazily.ts'
import { useSchool } from '../ui/school.tsx'
import { OfflineBar } from '../ui/states.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { turnWith } from '../ui/undo/steps.ts'
import { CommandBarButton } from './command-bar-button.tsx'
import { InboxLink } from './inbox-link.tsx'
import { loadNotice, RoleGate } from './role-gate.tsx'
import { loadOverlay, SessionGate } from './session-gate.tsx'
import css from './shell.module.css'
import { UndoButtons } from './undo-buttons.tsx'
import { UserMenu } from './user-menu.tsx'

const turning = lazily(async () => (await import('../changes/turn-step.ts')).turn)
turnWith(turning.load)

const FirstSteps = lazy(withTexts(() => import('./first-steps.tsx')))

export function Shell() {
  const { t } = useTranslation()
  return (
    <SessionGate>
      <a className={css.skip} href="#content">
        {t('app.skip')}
      </a>
      <div className={css.shell}>
        <Header />
        <Beginning />
        <OfflineBar />
        <main id="content" className={css.content} tabIndex={-1}>
          <RoleGate />
        </main>
        <Toaster />
      </div>
    </SessionGate>
  )
}

/** The `localStorage` key of the school whose first lesson this browser is waiting for. */
const BEGINS = 'fahrplan.begins'

/** Shows the first steps to a new school. Reserves their space, so that nothing moves. */
function Beginning() {
  const { tenant, instructors, students, user } = useSchool()
  const [begins, setBegins] = useState(() => localStorage.getItem(BEGINS))
  const begin = useCallback((id: string) => {
    localStorage.setItem(BEGINS, id)
    setBegins(id)
  }, [])
  const isGoing = instructors.length > 0 && students.length > 0
  if ((isGoing && begins !== tenant.id) || user.role === 'instructor') return null
  return (
    <div className={css.beginning}>
      <Suspense>
        <FirstSteps onStep={begin} />
      </Suspense>
    </div>
  )
}

function Header() {
  const { tenant, user } = useSchool()
  return (
    <header className={css.header}>
      <img className={css.logo} src={icon} alt="" />
      <span className={css.school}>{tenant.name}</span>
      {user.role === 'instructor' ? <InboxLink isIcon /> : <OfficeTools />}
      <UserMenu />
    </header>
  )
}

function OfficeTools() {
  const board = useBoardSearch()
  const { user } = useSchool()
  const { t } = useTranslation()
  // An updated service no longer has this code. Without it, a page would be lost with its input, and a step could not be undone.
  usePreloaded(loadOverlay, loadDiscarding, loadNotice, turning.load)
  return (
    <>
      <nav className={css.nav}>
        <NavLink to="/" search={board} icon="board" text={t('nav.board')} />
        <NavLink to="/students" icon="students" text={t('nav.students')} />
        <NavLink to="/instructors" icon="instructor" text={t('nav.instructors')}>
          <OpenCount />
        </NavLink>
        <InboxLink />
        <NavLink to="/changes" icon="clock" text={t('nav.changes')} />
        {user.instructor_id !== null && <NavLink to="/today" icon="user" text={t('nav.today')} />}
      </nav>
      <CommandBarButton />
      <UndoButtons />
    </>
  )
}

/** Returns the day and columns that the board showed last, to return to. */
function useBoardSearch(): BoardSearch {
  const { pathname, search } = useLocation()
  const [last, setLast] = useState<BoardSearch>({})
  useEffect(() => {
    if (pathname === '/') setLast({ ...search, lesson: undefined })
  }, [pathname, search])
  return last
}

function OpenCount() {
  const { t } = useTranslation()
  const { data: { length: count } = [] } = useQuery(openRequests)
  if (count === 0) return null
  return (
    <span className={css.count} title={t('request.waiting', { count })}>
      {count}
    </span>
  )
}

type NavLinkProps = {
  readonly to: '/' | '/students' | '/instructors' | '/changes' | '/today'
  readonly search?: BoardSearch
  readonly icon: IconName
  readonly text: string
  readonly children?: ReactNode
}

function NavLink({ to, search = {}, icon, text, children }: NavLinkProps) {
  return (
    <Link
      to={to}
      search={search}
      className={css.link}
      activeOptions={{ exact: to === '/', includeSearch: false }}
    >
      <Icon name={icon} /> {text}
      {children}
    </Link>
  )
}
