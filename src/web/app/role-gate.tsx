import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useMatches, useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserRole } from '../../contract/auth.ts'
import { withTexts } from '../ui/i18n/i18n.ts'
import { useSchool } from '../ui/school.tsx'
import { Empty } from '../ui/states.tsx'

const RoleNotice = lazy(withTexts(() => import('./role-notice.tsx')))

/**
 * The page, if it is for the role. Where the role becomes another the page stays, with what is typed in it, until its reader
 * goes on.
 */
export function RoleGate() {
  const { role, instructor_id } = useSchool().user
  const navigate = useNavigate()
  const [shown, setShown] = useState(role)
  useForgetting(shown)
  const goOn = () => {
    void navigate({ to: homeOf(role) })
    setShown(role)
  }
  return (
    <>
      <Suspense>{role !== shown && <RoleNotice role={role} onGoOn={goOn} />}</Suspense>
      <Page role={shown} isTeaching={instructor_id !== null} />
    </>
  )
}

/** The pages for all roles; a missing page is reported to everybody. */
const FOR_ALL: ReadonlySet<string> = new Set(['/account', '__root__'])

/** The pages of users who are instructors. */
const TEACHING: ReadonlySet<string> = new Set(['/today', '/requests'])

type PageProps = { readonly role: UserRole; readonly isTeaching: boolean }

/**
 * The page, or where its visitor belongs instead. The role `instructor` has its own day and requests only; a page that is added is
 * the office's. Settings and users are the owner's. Users of other roles who teach have the day and requests as well.
 */
function Page({ role, isTeaching }: PageProps) {
  const { t } = useTranslation()
  const page = useMatches({ select: (matches) => matches.at(-1)?.routeId }) ?? '__root__'
  const isElsewhere = role === 'instructor' ? page === '/' : TEACHING.has(page) && !isTeaching
  if (isElsewhere) return <Homeward to={homeOf(role)} />
  if (role === 'office' && (page === '/settings' || page === '/users'))
    return <Empty text={t('role.ownerOnly')} />
  if (role !== 'instructor' || FOR_ALL.has(page) || TEACHING.has(page)) return <Outlet />
  return (
    <Empty text={t('role.officeOnly')}>
      <Link to="/today">{t('today.title')}</Link>
    </Empty>
  )
}

/** Leads home, once more where a page that has just gone still led elsewhere. */
function Homeward({ to }: { to: '/' | '/today' }) {
  const navigate = useNavigate()
  const isIdle = useRouterState({ select: ({ status }) => status === 'idle' })
  useEffect(() => {
    if (isIdle) void navigate({ to, replace: true })
  }, [isIdle, navigate, to])
  return null
}

function homeOf(role: UserRole): '/' | '/today' {
  return role === 'instructor' ? '/today' : '/'
}

/** Forgets the data of another role: it was more, less, or not followed. */
function useForgetting(role: UserRole): void {
  const client = useQueryClient()
  const before = useRef(role)
  useEffect(() => {
    if (role !== before.current) client.removeQueries({ type: 'inactive' })
    before.current = role
  }, [client, role])
}
