import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { logOut } from '../data/session.ts'
import { APPEARANCES, type Appearance, chooseAppearance, useAppearance } from '../ui/color-scheme.ts'
import field from '../ui/field.module.css'
import { changeLanguage, LANGUAGES, type Language, withTexts } from '../ui/i18n/i18n.ts'
import { useSchool } from '../ui/school.tsx'
import { unsent } from '../ui/unsent.ts'
import css from './user-menu.module.css'

// If the menu cannot be loaded, the user stays at the current school.
const SchoolMenu = lazy(() =>
  withTexts(() => import('../access/account/school-menu.tsx'))().catch(() => ({ default: () => null })),
)

type UserMenuPanelProps = {
  /** Leaves the school, after a question if input would be lost. */
  readonly leave: (go: () => void) => void
  readonly onClose: () => void
}

/** The open menu of the user: preferences, pages, schools and the logout. */
export default function UserMenuPanel({ leave, onClose: close }: UserMenuPanelProps) {
  const { user } = useSchool()
  const { t } = useTranslation()
  const count = unsent.use()
  return (
    <div className={css.menu}>
      <p className={css.who}>
        <strong>{user.name}</strong>
        <br />
        {user.email}
      </p>
      <Preferences />
      {user.instructor_id !== null && (
        <Link to="/requests" onClick={close}>
          {t('request.title')}
        </Link>
      )}
      {user.role === 'owner' && (
        <>
          <Link to="/settings" onClick={close}>
            {t('nav.settings')}
          </Link>
          <Link to="/users" onClick={close}>
            {t('nav.users')}
          </Link>
        </>
      )}
      <Link to="/account" onClick={close}>
        {t('nav.account')}
      </Link>
      {count > 0 && <p className={css.unsent}>{t('role.lost', { count })}</p>}
      <Suspense>
        <SchoolMenu onLeave={leave} onClose={close} />
      </Suspense>
      <button type="button" onClick={() => leave(logOut)}>
        {t('login.logout')}
      </button>
    </div>
  )
}

function Preferences() {
  const { t, i18n } = useTranslation()
  const appearance = useAppearance()
  return (
    <>
      <label className={css.choice}>
        {t('field.locale')}
        <select
          className={field.field}
          value={i18n.language}
          onChange={({ target }) => void changeLanguage(target.value as Language)}
        >
          {Object.entries(LANGUAGES).map(([language, name]) => (
            <option key={language} value={language}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className={css.choice}>
        {t('app.appearance')}
        <select
          className={field.field}
          value={appearance}
          onChange={({ target }) => chooseAppearance(target.value as Appearance)}
        >
          {APPEARANCES.map((scheme) => (
            <option key={scheme} value={scheme}>
              {t(`app.${scheme}`)}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
