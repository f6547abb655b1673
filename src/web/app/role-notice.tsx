import { useTranslation } from 'react-i18next'
import type { UserRole } from '../../contract/auth.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import css from './role-notice.module.css'

type RoleNoticeProps = { readonly role: UserRole; readonly onGoOn: () => void }

/** Shows that the user's role has changed, above a page that keeps its input. */
export default function RoleNotice({ role, onGoOn }: RoleNoticeProps) {
  const { t } = useTranslation()
  return (
    <div className={css.changed}>
      <Notice kind="warn" isAnswer>
        <p>{t('role.changed', { role: t(`role.${role}`) })}</p>
        <Button look="primary" onClick={onGoOn}>
          {t('role.goOn')}
        </Button>
      </Notice>
    </div>
  )
}
