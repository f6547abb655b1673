import { Link, Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import icon from '../icon.svg'
import { SessionGate } from '../session/session-gate.tsx'
import { Icon, type IconName } from './icon.tsx'
import { useSchool } from './school.tsx'
import css from './shell.module.css'
import { Toaster } from './toaster.tsx'
import { UserMenu } from './user-menu.tsx'

/** What every page has around it. */
export function Shell() {
  const { t } = useTranslation()
  return (
    <SessionGate>
      <a className={css.skip} href="#content">
        {t('app.skip')}
      </a>
      <div className={css.shell}>
        <Header />
        <main id="content" className={css.content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Toaster />
    </SessionGate>
  )
}

function Header() {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  return (
    <header className={css.header}>
      <img className={css.logo} src={icon} alt="" />
      <span className={css.school}>{tenant.name}</span>
      <nav className={css.nav}>
        <NavLink to="/" icon="board" text={t('nav.board')} />
        <NavLink to="/students" icon="students" text={t('nav.students')} />
        <NavLink to="/instructors" icon="instructor" text={t('nav.instructors')} />
      </nav>
      <UserMenu />
    </header>
  )
}

type NavLinkProps = {
  readonly to: '/' | '/students' | '/instructors'
  readonly icon: IconName
  readonly text: string
}

function NavLink({ to, icon, text }: NavLinkProps) {
  return (
    <Link to={to} className={css.link} activeOptions={{ exact: to === '/', includeSearch: false }}>
      <Icon name={icon} /> {text}
    </Link>
  )
}
