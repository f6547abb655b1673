import { useTranslation } from 'react-i18next'
import { Deferred, usePreloaded } from '../ui/deferred.tsx'
import { useDiscardQuestion } from '../ui/discard-question.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Icon } from '../ui/icon.tsx'
import css from './user-menu.module.css'

const loadPanel = () => import('./user-menu-panel.tsx')

export function UserMenu() {
  const { t } = useTranslation()
  const { leave, question } = useDiscardQuestion()
  usePreloaded(loadPanel)
  return (
    <>
      <Disclosure className={css.round} align="end" name={t('app.menu')} label={<Icon name="user" />}>
        {(close) => <Deferred isKept load={loadPanel} props={{ leave, onClose: close }} />}
      </Disclosure>
      {question}
    </>
  )
}
