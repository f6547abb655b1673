import { useQueryClient } from '@tanstack/react-query'
import { Link, Navigate, Outlet, useMatches, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserRole } from '../../contract/auth.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useSchool } from '../ui/school.tsx'
import { Empty } from '../ui/states.tsx'
import css from './role-gate.module.css'

/**
 * The page, if it is for the role. Where the role becomes another the page stays, with what is typed in it, until its reader
 * goes on.
 */
export function RoleGate() {
  const { role } = useSchool().user
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [shown, setShown] = useState(role)
  useForgetting(shown)
  const goOn = () => {
    void navigate({ to: homeOf(role) })
    setShown(role)
  }
  return (
    <>
      {role !== shown && (
        <div className={css.changed}>
          <Notice kind="warn" isAnswer>
            <p>{t('role.changed', { role: t(`role.${role}`) })}</p>
            <Button look="primary" onClick={goOn}>
              {t('role.goOn')}
            </Button>
          </Notice>
        </div>
      )}
      <Page role={shown} />
    </>
  )
}

/** An instructor has the own day and nothing else; a page that is added is the office's. */
function Page({ role }: { role: UserRole }) {
  const { t } = useTranslation()
  const page = useMatches({ select: (matches) => matches.at(-1)?.routeId })
  if ((role === 'instructor' ? '/' : '/today') === page) return <Navigate to={homeOf(role)} replace />
  if (role !== 'instructor' || page === '/today' || page === '__root__') return <Outlet />
  return (
    <Empty text={t('role.officeOnly')}>
      <Link to="/today">{t('today.title')}</Link>
    </Empty>
  )
}

function homeOf(role: UserRole): '/' | '/today' {
  return role === 'instructor' ? '/today' : '/'
}

/** What was read in another role was more, less, or not followed. */
function useForgetting(role: UserRole): void {
  const client = useQueryClient()
  const [first] = useState(role)
  useEffect(() => {
    if (role !== first) client.removeQueries({ type: 'inactive' })
  }, [client, role, first])
}
