import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useMatches, useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserRole } from '../../contract/auth.ts'
import { withTexts } from '../ui/i18n/i18n.ts'
import { useSchool } from '../ui/school.tsx'
import { Empty } from '../ui/states.tsx'

/** Fetches the notice shown above the page when the user's role has changed. */
export const loadNotice = () => import('./role-notice.tsx')
const RoleNotice = lazy(withTexts(loadNotice))

/** Shows the page if the role may see it. When the role changes, the page stays with its input until the user continues. */
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

/** The pages for all roles, including the one for missing pages. */
const FOR_ALL: ReadonlySet<string> = new Set(['/account', '/inbox', '/minutes', '__root__'])

const TEACHING: ReadonlySet<string> = new Set(['/today', '/requests'])

const OF_OWNERS: readonly string[] = ['/settings', '/users', '/numbers']

type PageProps = { readonly role: UserRole; readonly isTeaching: boolean }

/**
 * Shows the page if the role may see it; otherwise redirects home or explains why not. The role `instructor` has only its day
 * and requests, which other roles have if they teach. Settings, users and numbers are for owners only.
 */
function Page({ role, isTeaching }: PageProps) {
  const { t } = useTranslation()
  const page = useMatches({ select: (matches) => matches.at(-1)?.routeId }) ?? '__root__'
  const isElsewhere = role === 'instructor' ? page === '/' : TEACHING.has(page) && !isTeaching
  if (isElsewhere) return <Homeward to={homeOf(role)} />
  if (role === 'office' && OF_OWNERS.includes(page)) return <Empty text={t('role.ownerOnly')} />
  if (role !== 'instructor' || FOR_ALL.has(page) || TEACHING.has(page)) return <Outlet />
  return (
    <Empty text={t('role.officeOnly')}>
      <Link to="/today">{t('nav.today')}</Link>
    </Empty>
  )
}

/** Redirects home, once a navigation in progress has ended. */
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

/** Removes cached data that was read in another role, which could see other data. */
function useForgetting(role: UserRole): void {
  const client = useQueryClient()
  const before = useRef(role)
  useEffect(() => {
    if (role !== before.current) client.removeQueries({ type: 'inactive' })
    before.current = role
  }, [client, role])
}
